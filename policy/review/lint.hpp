#pragma once
// What a policy that loads may still get wrong: rules that never decide, and allows wider than they look.

#include <functional>
#include <string>
#include <vector>

#include "policy/rule/rule.hpp"

namespace policy {

struct Warning {
  std::string place;    // `file:line` of the rule
  std::string rule;     // its id
  std::string message;  // one sentence
  bool operator==(const Warning&) const = default;
};

// Of every rule that is not built in, in the order of the rules. `is_folder` says what stands at an absolute
// path; empty: nothing is known of that.
std::vector<Warning> lint(const CompiledRules& rules,
                          const std::function<bool(const std::string& path)>& is_folder = {});

}  // namespace policy
