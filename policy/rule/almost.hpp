#pragma once
// Of an effect that no rule covers: which allow would, if one of its conditions were not in the way.

#include <string>
#include <vector>

#include "policy/history.hpp"
#include "policy/rule/match.hpp"
#include "policy/rule/rule.hpp"

namespace policy {

// Of one effect as many allows are looked at.
inline constexpr std::size_t almost_rules_max = 32;

// For the first of the allows that fails by one key alone: `rule «id» at FILE:LINE would allow it …`, and
// what of that key does not hold. A name of server or tool counts as one only where the rule names effects,
// too. Empty: there is none, or looking for it takes too long. Says nothing else about the decision.
Almost almost_allowed(const std::vector<const Rule*>& allows, const Call& call, const Subject& subject,
                      const History& history, Roots& roots);

}  // namespace policy
