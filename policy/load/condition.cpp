#include <array>

#include "policy/load/parts.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::array<std::string_view, 17> known{
    "server", "tool", "method",  "agent",   "mission", "argument", "read", "write",    "delete",
    "path",   "run",  "connect", "content", "opaque",  "elevated", "cwd",  "host_user"};

std::vector<NamePattern> names(FileContext& context, const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return {};
  return context.reader.compiled(*node, key, NamePattern::compile);
}

std::vector<PathPattern> paths(FileContext& context, const toml::table& table, std::string_view key,
                               Stance stance) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return {};
  return context.reader.compiled(
      *node, key, [&](std::string_view text) { return PathPattern::compile(text, context.anchors, stance); });
}

void append(std::vector<PathPattern>& list, const std::vector<PathPattern>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

// `true`, `3` and `0.5` test for that value.
std::optional<std::string> test_of(FileContext& context, const toml::node& node, std::string_view pointer) {
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* whole = node.as_integer()) return "== " + std::to_string(whole->get());
  if (const auto* real = node.as_floating_point()) return "== " + base::json::Value(real->get()).dump();
  if (node.is_string()) return context.reader.string(node, pointer);
  context.reader.fail(node, "the test of " + base::quoted(pointer) + " must be a string, number or boolean");
  return std::nullopt;
}

std::vector<ArgumentCondition> arguments(FileContext& context, const toml::node& node, Stance stance) {
  std::vector<ArgumentCondition> conditions;
  const toml::table* table = context.reader.table(node, "argument", "argument = { \"/force\" = true }");
  if (table == nullptr) return conditions;
  if (table->empty()) context.reader.fail(node, "`argument` is empty; leave the key out");
  for (const auto& [key, value] : *table) {
    const auto test = test_of(context, value, key.str());
    if (!test || !context.reader.admits_expression({*test, &value}, false)) continue;
    auto condition = ArgumentCondition::compile(key.str(), *test, stance);
    if (condition.has_error()) {
      context.reader.fail(key.str().starts_with('/') ? value.source() : key.source(),
                          condition.error().message());
    } else {
      conditions.push_back(std::move(*condition));
    }
  }
  return conditions;
}

}  // namespace

std::span<const std::string_view> condition_keys() { return known; }

Condition read_condition(FileContext& context, const toml::table& table, Stance stance) {
  TomlReader& reader = context.reader;
  Condition condition;
  condition.stance = stance;
  condition.server = names(context, table, "server");
  condition.tool = names(context, table, "tool");
  condition.method = names(context, table, "method");
  condition.agent = names(context, table, "agent");
  condition.mission = names(context, table, "mission");
  condition.host_user = names(context, table, "host_user");
  if (const auto* node = table.get("argument")) condition.argument = arguments(context, *node, stance);
  condition.read = paths(context, table, "read", stance);
  condition.write = paths(context, table, "write", stance);
  condition.remove = paths(context, table, "delete", stance);
  const auto path = paths(context, table, "path", stance);
  append(condition.read, path);
  append(condition.write, path);
  append(condition.remove, path);
  if (const auto* node = table.get("run"))
    condition.run = reader.compiled(*node, "run", CommandPattern::compile);
  if (const auto* node = table.get("connect"))
    condition.connect = reader.compiled(
        *node, "connect", [&](std::string_view text) { return DestinationPattern::compile(text, stance); });
  if (const auto* node = table.get("content"))
    condition.content = reader.compiled(*node, "content", ContentPattern::compile, TomlReader::Lines::many);
  if (const auto* node = table.get("opaque"))
    condition.opaque = reader.boolean(*node, "opaque").value_or(false);
  if (const auto* node = table.get("elevated")) condition.elevated = reader.boolean(*node, "elevated");
  condition.cwd = paths(context, table, "cwd", stance);
  return condition;
}

unsigned kinds_of(const Condition& condition) {
  unsigned kinds = all_kinds;
  if (condition.names_effects())
    kinds = (condition.read.empty() ? 0 : kind_bit(EffectKind::read)) |
            (condition.write.empty() ? 0 : kind_bit(EffectKind::write)) |
            (condition.remove.empty() ? 0 : kind_bit(EffectKind::remove)) |
            (condition.run.empty() ? 0 : kind_bit(EffectKind::run)) |
            (condition.connect.empty() ? 0 : kind_bit(EffectKind::connect));
  if (!condition.content.empty()) kinds &= kind_bit(EffectKind::write) | kind_bit(EffectKind::connect);
  if (condition.elevated || !condition.cwd.empty()) kinds &= kind_bit(EffectKind::run);
  return kinds;
}

}  // namespace policy
