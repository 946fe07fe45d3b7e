// What a layer says of programs: entries as in catalogue/commands.toml, and variables that change nothing.

#include "policy/catalogue/catalogue.hpp"
#include "policy/command/parse_entries.hpp"
#include "policy/load/parts.hpp"

namespace policy {

void read_commands(FileContext& context, const toml::table& table,
                   std::shared_ptr<const Catalogue>& catalogue) {
  const toml::node* commands = table.get("commands");
  const toml::node* neutral = table.get("neutral_variables");
  if (commands == nullptr && neutral == nullptr) return;
  if (context.layer == Layer::repository)
    return context.reader.fail(commands != nullptr ? *commands : *neutral,
                               "a repository does not say what programs do; the operator's own policy may");
  if ((context.delegation.allow & kind_bit(EffectKind::run)) == 0)
    return context.reader.fail(commands != nullptr ? *commands : *neutral,
                               "the organisation does not delegate `run` (" + context.delegation.place +
                                   "), so this layer does not say what programs do");
  auto extended = std::make_shared<Catalogue>(*catalogue);
  if (neutral != nullptr)
    for (const TomlReader::Text& variable : context.reader.strings(*neutral, "neutral_variables"))
      extended->neutral_variables.push_back(variable.text);
  if (commands != nullptr) {
    const toml::table* entries = context.reader.table(*commands, "commands");
    if (entries == nullptr) return;
    if (auto wrong = command::parse_entries(*entries, extended->commands))
      return context.reader.fail(*wrong->node, wrong->what);
  }
  catalogue = std::move(extended);
}

}  // namespace policy
