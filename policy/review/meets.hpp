#pragma once
// Whether two conditions may match one effect of one call.

#include "policy/rule/rule.hpp"

namespace policy {

// May say yes wrongly, never no.
bool may_meet(const Condition& a, const Condition& b);

}  // namespace policy
