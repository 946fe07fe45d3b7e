// Examples stand beside a rule and are held against its patterns when it is loaded: command lines for `run`,
// paths for `read`, `write`, `delete` and `path`, addresses for `connect`.

#include <algorithm>
#include <array>

#include "policy/catalogue/catalogue.hpp"
#include "policy/command/match_command.hpp"
#include "policy/command/runs.hpp"
#include "policy/load/parts.hpp"
#include "policy/path/described_files.hpp"
#include "policy/path/path.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

// A deny or ask meets any command of the line; an allow must cover all of them, and all must be understood.
bool line_matches(const Condition& condition, const FileContext& context, std::string_view line) {
  const Anchors& anchors = context.anchors;
  const DescribedFiles files;
  const Scene scene{anchors.workspace, anchors.workspace, anchors.home, {}, &files};
  EffectList list(scene, *context.catalogue);
  command::Place place;
  place.directory = anchors.workspace;
  command::Runs(list, {}).line(line, Shell::bash, place);
  bool all = false;
  Steps steps;
  for (const Effect& effect : list.effects()) {
    if (effect.kind != EffectKind::run) continue;
    const auto meets = [&](const CommandPattern& pattern) {
      return condition.stance == Stance::permit
                 ? command::permits(pattern, effect.command)
                 : command::restricts(pattern, effect.command, steps) == command::Meets::yes;
    };
    const bool met = std::any_of(condition.run.begin(), condition.run.end(), meets);
    if (condition.stance == Stance::restrict && met) return true;
    if (condition.stance == Stance::restrict || effect.guessed) continue;
    if (!met || (effect.opaque && !condition.opaque)) return false;
    all = true;
  }
  return all;
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

bool condition_matches(const Condition& condition, const FileContext& context, std::string_view example) {
  if (!condition.run.empty() && line_matches(condition, context, example)) return true;
  if (!condition.connect.empty() && address_matches(condition, example)) return true;
  return path_matches(condition, context.anchors, example);
}

bool rule_matches(const Rule& rule, const FileContext& context, std::string_view example) {
  if (!condition_matches(rule.condition, context, example)) return false;
  return !rule.except || !rule.except->names_effects() || !condition_matches(*rule.except, context, example);
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
      if (rule_matches(rule, context, example.text) != should_match)
        context.reader.fail(*example.node, "the example " + base::quoted(example.text) +
                                               (should_match ? " does not match" : " matches") +
                                               " the rule " + base::quoted(rule.id));
  }
}

}  // namespace policy
