#pragma once
// Whether a rule lets no more pass than another. May say no wrongly, never yes: that is what a change of
// policy files holds at once by (narrows.hpp).

#include "policy/pattern/pattern.hpp"
#include "policy/rule/rule.hpp"

namespace policy {

// Of two allows: whatever `now` covers, `before` did, as often and on no other condition.
bool allows_no_more(const Rule& now, const Rule& before, const Anchors& anchors);

// Whatever effect of a call `inner` matches, `outer` matches too, whatever came before; of any tiers.
bool covers(const Rule& outer, const Rule& inner, const Anchors& anchors);

// Of a deny or ask: whatever `before` matches, `now` does, as gravely, and nothing that no grant answered
// (grant.hpp) is answered by one now.
bool restricts_no_less(const Rule& now, const Rule& before, const Anchors& anchors);

}  // namespace policy
