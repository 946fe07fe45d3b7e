#pragma once
// Why a call is decided as it is: its effects, every rule that matches, the one that decides each.

#include <string>
#include <vector>

#include "policy/judge.hpp"
#include "policy/policy.hpp"
#include "proxy/base/json.hpp"

namespace policy {

struct Explanation {
  Decision decision;    // with every guess
  Looks looks;          // rules live as long as the policy
  bool counts = false;  // the policy counts earlier calls, of which there are none here
};

// As the first call of a mission, in which these grants stand.
Explanation explain(const Policy& policy, const Call& call, const Scene& scene,
                    const std::vector<Grant>& grants = {});

// Of a decision whose deciding effect nothing covers: what the operator can do for callgate to understand it,
// a part of a sentence, printable; empty: it is understood. The tool is known by the effect of its use.
std::string to_understand(const Decision& decision, const Reason& reason);

// For people, printable; several lines.
std::string explanation_text(const Explanation& explanation);
// `{"decision","effects":[{"effect","summary","matches":[…],"decided_by":{…}}]}`; of a call that is
// redirected also `"redirected":{"changes":[{"argument","was","value","rule","layer","place"}],"arguments"}`
// and `"asked"`, the call as it came, with the members of the whole. Where rules look at what comes back,
// `"result":[{"rule","decision","layer","place","redact"}]`; where earlier calls count, `"history":[]`.
base::json::Value explanation_json(const Explanation& explanation);
// One effect, as records and explanations write it.
base::json::Value effect_json(const Effect& effect);

}  // namespace policy
