// Examples stand beside a rule and are held against its patterns when it is loaded: command lines for `run`,
// paths for `read`, `write`, `delete` and `path`, addresses for `connect`.

#include <algorithm>
#include <array>

#include "policy/load_parts.hpp"
#include "policy/path.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

bool any_matches(const Condition& condition, const Command& command, bool opaque) {
  const bool permit = condition.stance == Stance::permit;
  const CommandForms forms = permit ? CommandForms::strict(command) : CommandForms::generous(command, opaque);
  Steps steps;
  for (const CommandForm& form : forms.forms())
    for (const CommandPattern& pattern : condition.run)
      if (permit ? matches_exactly(pattern, form) : matches_generously(pattern, form, steps)) return true;
  return false;
}

// A deny or ask meets any command of the line; an allow must cover all of them, and all must be understood.
bool line_matches(const Condition& condition, std::string_view line) {
  const LineReading reading = read_command_line(line);
  if (condition.stance == Stance::permit && reading.opaque) return false;
  const auto matches = [&](const Command& command) {
    return any_matches(condition, command, reading.opaque);
  };
  if (condition.stance == Stance::permit)
    return !reading.commands.empty() &&
           std::all_of(reading.commands.begin(), reading.commands.end(), matches);
  return std::any_of(reading.commands.begin(), reading.commands.end(), matches);
}

bool path_matches(const Condition& condition, const Anchors& anchors, std::string_view written) {
  std::string path(written);
  if (path == "~" || path.starts_with("~/")) path = anchors.home + path.substr(1);
  path = fold_path(path, anchors.workspace);
  for (const auto* list : {&condition.read, &condition.write, &condition.remove})
    for (const PathPattern& pattern : *list)
      if (pattern.matches(path)) return true;
  return false;
}

bool address_matches(const Condition& condition, std::string_view url) {
  return std::any_of(condition.connect.begin(), condition.connect.end(),
                     [&](const DestinationPattern& pattern) { return pattern.matches(url); });
}

bool condition_matches(const Condition& condition, const Anchors& anchors, std::string_view example) {
  if (!condition.run.empty() && line_matches(condition, example)) return true;
  if (!condition.connect.empty() && address_matches(condition, example)) return true;
  return path_matches(condition, anchors, example);
}

bool rule_matches(const Rule& rule, const Anchors& anchors, std::string_view example) {
  if (!condition_matches(rule.condition, anchors, example)) return false;
  return !rule.except || !rule.except->names_effects() || !condition_matches(*rule.except, anchors, example);
}

}  // namespace

void check_examples(FileContext& context, const toml::node& node, const Rule& rule) {
  const toml::table* table = context.reader.table(node, "examples");
  if (table == nullptr) return;
  static constexpr std::array<std::string_view, 2> known{"match", "miss"};
  context.reader.check_keys(*table, known);
  if (!rule.condition.names_effects()) {
    context.reader.fail(node, "`examples` need `run`, `connect` or a path key to be held against");
    return;
  }
  for (const std::string_view key : known) {
    const toml::node* list = table->get(key);
    if (list == nullptr) continue;
    const bool should_match = key == "match";
    for (const auto& example : context.reader.strings(*list, key))
      if (rule_matches(rule, context.anchors, example.text) != should_match)
        context.reader.fail(*example.node, "the example " + base::quoted(example.text) +
                                               (should_match ? " does not match" : " matches") +
                                               " the rule " + base::quoted(rule.id));
  }
}

}  // namespace policy
