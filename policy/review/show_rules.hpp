#pragma once
// Rules as a person reads them before trusting a file.

#include <cstddef>
#include <string>

#include "policy/rule/rule.hpp"

namespace policy {

// A line for the default where the file states one, each rule and each declaration, indented and whole:
// nothing is cut, since all of it would count. Printable.
std::string show_rules(const CompiledRules& rules);

struct ShownChanges {
  std::string text;      // such lines behind `+`, `-` or, of a rule that is another now, both; empty: none
  std::size_t kept = 0;  // rules, declarations and the default that are as they were
};

// What `after` says otherwise than `before`. A rule is known by its layer and id. Words for people (`why`),
// examples and what is said of programs are not looked at. Printable.
ShownChanges show_changes(const CompiledRules& before, const CompiledRules& after);

}  // namespace policy
