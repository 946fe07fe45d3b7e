#include <array>
#include <utility>

#include "policy/load/parts.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::array<std::string_view, effect_kinds + 1> words{"use",     "read",   "write",  "delete", "run",
                                                               "connect", "sample", "elicit", "other"};

std::optional<Default> read_tier(FileContext& context, const toml::node& node, std::string_view what) {
  const auto word = context.reader.string(node, what);
  if (!word) return std::nullopt;
  Default value{Tier::deny, context.layer,
                context.layer == Layer::built_in ? "" : context.reader.place(node)};
  if (*word == "ask") {
    value.tier = Tier::ask;
  } else if (*word == "allow") {
    context.reader.fail(node, "a default is never `allow`; write a rule that says what may be done");
  } else if (*word != "deny") {
    context.reader.fail(node, "the default " + base::quoted(*word) + " is not `deny` or `ask`");
  }
  return value;
}

}  // namespace

Defaults read_default(FileContext& context, const toml::node& node) {
  Defaults defaults;
  if (node.is_string()) {
    defaults.fill(read_tier(context, node, "default"));
    return defaults;
  }
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    context.reader.fail(node, "`default` must be `\"deny\"`, `\"ask\"`, or a table of them by effect");
    return defaults;
  }
  context.reader.check_keys(*table, words);
  if (const auto* other = table->get("other")) defaults.fill(read_tier(context, *other, "other"));
  for (std::size_t i = 0; i < effect_kinds; ++i) {
    const auto kind = name(static_cast<EffectKind>(i));
    if (const auto* own = table->get(kind)) defaults[i] = read_tier(context, *own, kind);
  }
  return defaults;
}

}  // namespace policy
