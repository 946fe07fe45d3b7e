#pragma once
// Why a call is decided as it is: its effects, every rule that matches, the one that decides each.

#include <string>
#include <vector>

#include "policy/decide.hpp"
#include "policy/policy.hpp"
#include "proxy/base/json.hpp"

namespace policy {

struct Explanation {
  Decision decision;      // with every guess
  std::vector<Hit> hits;  // rules live as long as the policy
};

Explanation explain(const Policy& policy, const Call& call, const Scene& scene);

// For people, printable; several lines.
std::string explanation_text(const Explanation& explanation);
// `{"decision","effects":[{"effect","summary","matches":[…],"decided_by":{…}}]}`
base::json::Value explanation_json(const Explanation& explanation);
// One effect, as records and explanations write it.
base::json::Value effect_json(const Effect& effect);

}  // namespace policy
