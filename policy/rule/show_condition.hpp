#pragma once
// A condition as a person reads it.

#include <string>

#include "policy/rule/rule.hpp"

namespace policy {

// All that the condition asks for, in one line that two conditions share only where they match alike (given
// stance and anchors). Printable.
std::string show_condition(const Condition& condition);

}  // namespace policy
