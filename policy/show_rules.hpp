#pragma once
// Rules as a person reads them before trusting a file.

#include <string>

#include "policy/rule.hpp"

namespace policy {

// All that the condition asks for, in one line that two conditions share only where they match alike (given
// stance and anchors). Printable.
std::string show_condition(const Condition& condition);

// A line for the default where the file states one, each rule and each declaration, indented and whole:
// nothing is cut, since all of it would count. Printable.
std::string show_rules(const CompiledRules& rules);

}  // namespace policy
