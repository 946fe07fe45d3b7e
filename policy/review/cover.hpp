#pragma once
// Whether one rule's condition takes in all that another's does. May say no wrongly, never yes.

#include "policy/rule/rule.hpp"

namespace policy {

// Every effect that `inner` matches, `outer` matches too.
bool covers(const Rule& outer, const Rule& inner);

}  // namespace policy
