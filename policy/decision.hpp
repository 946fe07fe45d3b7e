#pragma once
// A decision: ALLOW, ASK or DENY for one call, with its reasons.

#include <cstddef>
#include <string>
#include <vector>

#include "policy/effect.hpp"

namespace policy {

// Ordered from strict to loose; the zero value is DENY.
enum class Tier { deny, ask, allow };
const char* name(Tier tier);  // `DENY`, `ASK`, `ALLOW`

enum class Layer { built_in, organisation, user, repository, mission };
const char* name(Layer layer);

enum class Severity { low, medium, high, critical };
const char* name(Severity severity);

// Why one effect got its tier.
struct Reason {
  std::size_t effect = 0;  // index into Decision::effects
  Tier tier = Tier::deny;
  std::string rule;  // rule id; empty: the default decided
  Layer layer = Layer::built_in;
  std::string place;  // `file:line` of the rule or the default; empty: built in
  std::string why;    // the rule's own words; may be empty
  Severity severity = Severity::medium;
  std::string violation_class;  // `malicious` where the rule says so; else empty
  std::string remedy;           // what would have to change for it to be allowed; empty for ALLOW
  bool operator==(const Reason&) const = default;
};

struct Decision {
  Tier tier = Tier::deny;
  std::vector<Effect> effects;
  std::vector<Reason> reasons;  // one for each effect, in the same order; the deciding rule of each
  bool operator==(const Decision&) const = default;
};

// The reason that decided the call: the first with the strictest tier; of an ALLOW the first with a rule. A
// decision without effects is DENY.
const Reason* deciding(const Decision& decision);

// One sentence for the agent: what was refused, by which rule, why, and what would be allowed.
std::string explain_to_agent(const Decision& decision);

}  // namespace policy
