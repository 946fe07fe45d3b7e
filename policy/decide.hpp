#pragma once
// From effects to a decision. Order of rules, layers and effects does not matter to the tiers; an added deny
// never loosens, an added allow never tightens, an error never allows.

#include <cstddef>
#include <vector>

#include "policy/decision.hpp"
#include "policy/grant.hpp"
#include "policy/history.hpp"
#include "policy/rule/match.hpp"

namespace policy {

// One rule that matched one effect; for `explain`.
struct Hit {
  std::size_t effect = 0;
  const Rule* rule = nullptr;
  Match match = Match::none;
  bool counts = true;  // false: an allow of a layer that may not allow such an effect
};

// Each effect: a matching deny, else a matching ask, else a matching allow, else the default; the call gets
// the strictest. Guesses and a `use` beside other effects meet denies and asks only. A deny that may match
// below a recursive effect asks, and so does an effect with a caution that would be allowed, or one that only
// allows with a rate that is used up cover. A rule whose `after` does not hold matches nothing. What an
// untrusted repository asks counts only where the decision would be ALLOW. `hits`, if given, gets every
// match. A call that takes more than steps_max is one refused effect. What is asked may be answered by
// `grants`.
Decision decide(const CompiledRules& rules, const Call& call, Roots& roots, std::vector<Effect> effects,
                const History& history = {}, std::vector<Hit>* hits = nullptr,
                const std::vector<Grant>& grants = {});

// Of guesses that no rule matched, a decision keeps this many.
inline constexpr std::size_t idle_guesses_max = 32;

}  // namespace policy
