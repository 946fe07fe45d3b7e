#pragma once
// The judgement of one call, redirects and all: described, decided, rewritten where a rule says so, and then
// described and decided again as it would be passed on. The answer is the stricter of both.

#include <optional>
#include <vector>

#include "policy/decide.hpp"
#include "policy/scene.hpp"

namespace policy {

// What `explain` shows beside the decision.
struct Looks {
  std::vector<Hit> hits;          // of the call as it would be passed on
  std::optional<Decision> asked;  // of a call that is redirected: as it was asked
  std::vector<Hit> asked_hits;
};

// Of a call that is redirected the decision has the effects of the rewritten call, then those of the call as
// asked that ask. A redirect that cannot be carried out adds the effect that it concerns, denied.
Decision judge(const CompiledRules& rules, const Call& call, const Scene& scene, const History& history,
               Looks* looks = nullptr, const std::vector<Grant>& grants = {});

}  // namespace policy
