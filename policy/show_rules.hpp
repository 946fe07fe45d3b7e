#pragma once
// Rules as a person reads them before trusting a file.

#include <string>

#include "policy/rule.hpp"

namespace policy {

// A line for the default where the file states one, each rule and each declaration, indented and whole:
// nothing is cut, since all of it would count. Printable.
std::string show_rules(const CompiledRules& rules);

}  // namespace policy
