#pragma once
// What a policy that loads may still get wrong: rules that never decide, and allows wider than they look.

#include <string>
#include <vector>

#include "policy/rule.hpp"

namespace policy {

struct Warning {
  std::string place;    // `file:line` of the rule
  std::string rule;     // its id
  std::string message;  // one sentence
  bool operator==(const Warning&) const = default;
};

// Of every rule that is not built in, in the order of the rules.
std::vector<Warning> lint(const CompiledRules& rules);

}  // namespace policy
