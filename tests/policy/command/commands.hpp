#pragma once
// What a line runs and does, for tests: effects in a described scene, without rules.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "policy/catalogue/catalogue.hpp"
#include "policy/command/match_command.hpp"
#include "policy/command/runs.hpp"
#include "tests/policy/scenes.hpp"

namespace policy_tests {

inline std::vector<policy::Effect> effects_of(const std::string& line,
                                              policy::Shell shell = policy::Shell::bash,
                                              std::map<std::string, std::string> links = {}) {
  const policy::DescribedFiles files(std::move(links));
  const policy::Scene described = scene(files);
  policy::EffectList list(described, *policy::built_in_catalogue());
  policy::command::Place place;
  place.directory = "/w";
  policy::command::Runs(list, {}).line(line, shell, place);
  return list.take();
}

// `run ls a`, `read /w/a`, …, each once, sorted; without guesses. `?` behind it: not understood; `/` behind a
// path: and all below.
inline std::vector<std::string> told(const std::string& line, policy::Shell shell = policy::Shell::bash,
                                     std::map<std::string, std::string> links = {}) {
  std::vector<std::string> all;
  for (const policy::Effect& effect : effects_of(line, shell, std::move(links))) {
    if (effect.guessed) continue;
    std::string text = std::string(policy::name(effect.kind)) + ' ';
    if (effect.kind == policy::EffectKind::run) {
      std::string words;
      for (const std::string& word : effect.command.words) words += (words.empty() ? "" : " ") + word;
      text += effect.command.line.empty() ? words : effect.command.line;
    } else if (effect.kind == policy::EffectKind::connect) {
      text += effect.destination;
    } else {
      text += effect.path.lexical + (effect.reach.recursive ? "/" : "");
      for (const policy::NameGlob& each : effect.reach.names) text += '/' + each.glob.text();
    }
    if (effect.opaque) text += '?';
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
  }
  std::sort(all.begin(), all.end());
  return all;
}

// Whether a deny of the pattern meets some command of the line.
inline bool denied(const std::string& line, const std::string& pattern) {
  const auto compiled = policy::CommandPattern::compile(pattern);
  REQUIRE(compiled.has_value());
  policy::Steps steps;
  const auto effects = effects_of(line);
  return std::any_of(effects.begin(), effects.end(), [&](const policy::Effect& effect) {
    return policy::command::restricts(*compiled, effect.command, steps) == policy::command::Meets::yes;
  });
}

// Whether an allow of the pattern covers every command of the line.
inline bool allowed(const std::string& line, const std::string& pattern) {
  const auto compiled = policy::CommandPattern::compile(pattern);
  REQUIRE(compiled.has_value());
  const auto effects = effects_of(line);
  const bool runs = std::any_of(effects.begin(), effects.end(), [](const policy::Effect& effect) {
    return effect.kind == policy::EffectKind::run && !effect.guessed;
  });
  return runs && std::all_of(effects.begin(), effects.end(), [&](const policy::Effect& effect) {
           return effect.kind != policy::EffectKind::run || effect.guessed ||
                  (!effect.opaque && policy::command::permits(*compiled, effect.command));
         });
}

}  // namespace policy_tests
