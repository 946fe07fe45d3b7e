#include <array>

#include "policy/load/parts.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

std::optional<EffectKind> kind_from(std::string_view word) {
  for (std::size_t i = 0; i < effect_kinds; ++i)
    if (word == name(static_cast<EffectKind>(i))) return static_cast<EffectKind>(i);
  return std::nullopt;
}

unsigned read_kinds(FileContext& context, const toml::node& node) {
  unsigned kinds = 0;
  if (const auto* list = node.as_array(); list != nullptr && list->empty()) return kinds;
  for (const TomlReader::Text& word : context.reader.strings(node, "allow")) {
    const auto kind = kind_from(word.text);
    if (!kind)
      context.reader.fail(*word.node, "`delegate` knows no kind of effect " + base::quoted(word.text) +
                                          "; there are `use`, `read`, `write`, `delete`, `run`, `connect`, "
                                          "`sample` and `elicit`");
    kinds |= kind ? kind_bit(*kind) : 0;
  }
  return kinds;
}

}  // namespace

Delegation read_delegation(FileContext& context, const toml::node& node) {
  Delegation delegation;
  if (context.layer != Layer::organisation) {
    context.reader.fail(node, "`[delegate]` stands in the organisation's policy only");
    return delegation;
  }
  const toml::table* table = context.reader.table(node, "delegate");
  if (table == nullptr) return delegation;
  static constexpr std::array<std::string_view, 2> known{"allow", "mission"};
  context.reader.check_keys(*table, known);
  delegation.place = context.reader.place(node);
  if (const auto* allow = table->get("allow")) delegation.allow = read_kinds(context, *allow);
  if (const auto* mission = table->get("mission"))
    delegation.mission = context.reader.boolean(*mission, "mission").value_or(false);
  return delegation;
}

}  // namespace policy
