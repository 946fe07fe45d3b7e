#include <algorithm>
#include <array>

#include "policy/load/parts.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::size_t id_bytes_max = 100;

bool valid_id(std::string_view id) {
  if (id.empty() || id.size() > id_bytes_max) return false;
  return std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_.:/").find(c) != std::string_view::npos;
  });
}

std::string read_id(TomlReader& reader, const toml::table& table) {
  const toml::node* node = table.get("id");
  if (node == nullptr) {
    reader.fail(table, "the rule has no `id`");
    return {};
  }
  auto id = reader.string(*node, "id");
  if (id && !valid_id(*id))
    reader.fail(*node, "the id " + base::quoted(*id) +
                           " is not 1 to 100 of letters, digits, `-`, `_`, `.`, `:` and `/`");
  return id.value_or("");
}

Severity read_severity(TomlReader& reader, const toml::node& node, Tier tier) {
  if (tier == Tier::allow)
    reader.fail(node, "`severity` says how a breach is treated; an allow cannot be breached");
  const auto word = reader.string(node, "severity");
  if (!word) return Severity::medium;
  if (*word == "low") return Severity::low;
  if (*word == "medium") return Severity::medium;
  if (*word == "high") return Severity::high;
  if (*word == "critical") return Severity::critical;
  reader.fail(node, "the severity " + base::quoted(*word) + " is not `low`, `medium`, `high` or `critical`");
  return Severity::medium;
}

std::string read_class(TomlReader& reader, const toml::node& node, Tier tier) {
  if (tier != Tier::deny) reader.fail(node, "`class` stands in deny rules only");
  auto word = reader.string(node, "class");
  if (word && *word != "malicious")
    reader.fail(node,
                "the class " + base::quoted(*word) + " is not `malicious`, the only one a rule can state");
  return word.value_or("");
}

// An opaque call is allowed only by a rule that names one tool of one server.
void check_opaque(TomlReader& reader, const toml::node& node, const Condition& condition) {
  const bool literal = condition.server.size() == 1 && condition.server[0].literal() &&
                       condition.tool.size() == 1 && condition.tool[0].literal();
  if (condition.opaque && condition.stance == Stance::permit && !literal)
    reader.fail(node,
                "an allow with `opaque = true` must name one `server` and one `tool`, without wildcards");
  if (!condition.opaque && condition.stance == Stance::restrict && node.is_boolean())
    reader.fail(node, "`opaque = false` says nothing here: a deny or ask covers opaque effects too");
}

std::optional<Condition> read_except(FileContext& context, const toml::node& node, const Condition& rule) {
  const toml::table* table =
      context.reader.table(node, "except", "except = { path = [\"**/.env.example\"] }");
  if (table == nullptr) return std::nullopt;
  if (table->empty()) {
    context.reader.fail(node, "`except` is empty; leave the key out");
    return std::nullopt;
  }
  const std::size_t before = context.reader.count();
  context.reader.check_keys(*table, condition_keys());
  const Stance stance = rule.stance == Stance::permit ? Stance::restrict : Stance::permit;
  Condition except = read_condition(context, *table, stance);
  if (const auto* opaque = table->get("opaque");
      opaque != nullptr && stance == Stance::permit && except.opaque)
    context.reader.fail(*opaque, "a deny or ask makes no exception for what is opaque");
  if (context.reader.count() == before && (kinds_of(except) & kinds_of(rule)) == 0)
    context.reader.fail(node,
                        "the exception never matches: it covers none of the effects that the rule covers");
  return except;
}

// `result` and `redact`: such a rule says nothing of the call itself.
void read_result(FileContext& context, const toml::table& table, Rule& rule) {
  TomlReader& reader = context.reader;
  const toml::node* result = table.get("result");
  const toml::node* redact = table.get("redact");
  if (redact != nullptr && (result == nullptr || rule.tier != Tier::deny))
    reader.fail(*redact,
                "`redact` stands beside `result` in deny rules: it says what becomes of what is found");
  if (redact != nullptr) rule.redact = reader.boolean(*redact, "redact").value_or(false);
  if (result == nullptr) return;
  if (rule.after)
    reader.fail(*result, "`result` does not go with `after`: answers are searched whatever came before");
  if (const toml::node* redirect = table.get("redirect"))
    reader.fail(*redirect, "`redirect` does not go with `result`: the one is of calls, the other of answers");
  if (rule.tier == Tier::allow)
    reader.fail(*result,
                "`result` stands in ask and deny rules; what comes back passes unless one finds something");
  rule.result = reader.compiled(*result, "result", ContentPattern::compile, TomlReader::Lines::many);
}

}  // namespace

Rule read_rule(FileContext& context, const toml::table& table, Tier tier) {
  TomlReader& reader = context.reader;
  static constexpr std::array<std::string_view, 11> own{"id",     "why",      "severity", "class",
                                                        "except", "examples", "redirect", "result",
                                                        "redact", "after",    "rate"};
  std::vector<std::string_view> known(condition_keys().begin(), condition_keys().end());
  known.insert(known.end(), own.begin(), own.end());
  const std::size_t before = reader.count();
  // In TOML what stands below `[[…]]` belongs to it.
  static constexpr std::string_view head = "belongs at the head of the file, before the first `[[…]]`";
  static constexpr std::array<TomlReader::Misplaced, 3> misplaced{
      {{"version", head}, {"default", head}, {"neutral_variables", head}}};
  reader.check_keys(table, known, misplaced);

  Rule rule;
  rule.tier = tier;
  rule.layer = context.layer;
  rule.place = context.layer == Layer::built_in ? "" : reader.place(table);
  rule.id = read_id(reader, table);
  rule.condition = read_condition(context, table, tier == Tier::allow ? Stance::permit : Stance::restrict);
  rule.condition.leaves_bare_words = tier == Tier::ask;
  if (const auto* node = table.get("why"))
    rule.why = reader.string(*node, "why", TomlReader::Lines::many).value_or("");
  if (const auto* node = table.get("severity")) rule.severity = read_severity(reader, *node, tier);
  if (const auto* node = table.get("class")) rule.violation_class = read_class(reader, *node, tier);
  if (const auto* node = table.get("opaque")) check_opaque(reader, *node, rule.condition);
  if (reader.count() != before) return rule;
  if (kinds_of(rule.condition) == 0)
    reader.fail(table, "the rule " + base::quoted(rule.id) +
                           " never matches: no effect has all that its keys ask for");
  if (const auto* node = table.get("after")) rule.after = read_after(context, *node, rule.condition);
  if (const auto* node = table.get("rate")) rule.rate = read_rate(context, *node, tier);
  if (const auto* node = table.get("except")) rule.except = read_except(context, *node, rule.condition);
  read_result(context, table, rule);
  if (const auto* node = table.get("redirect")) rule.redirect = read_redirect(context, *node, rule);
  if (const auto* node = table.get("examples"); node != nullptr && reader.count() == before)
    check_examples(context, *node, rule);
  return rule;
}

}  // namespace policy
