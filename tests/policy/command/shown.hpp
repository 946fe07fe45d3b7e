#pragma once
// What a script does, in one line: `r FILE`, `w FILE`, `l LINE`, `? WHY`.

#include <string>

#include "policy/command/script_effects.hpp"

namespace script_tests {

inline std::string shown(const policy::command::ScriptEffects& effects) {
  std::string text;
  const auto add = [&text](const char* mark, const std::string& what) {
    if (!text.empty()) text += ' ';
    text += mark + what;
  };
  for (const std::string& each : effects.reads) add("r ", each);
  for (const std::string& each : effects.writes) add("w ", each);
  for (const std::string& each : effects.lines) add("l ", each);
  if (!effects.opaque.empty()) add("? ", effects.opaque);
  return text;
}

}  // namespace script_tests
