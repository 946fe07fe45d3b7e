#pragma once
// The payload `effects` of a decision: what the call would do and which rule decided each part, for those who
// read the ledger later or elsewhere. A JSON list of objects in the order of Decision::effects, with the
// members of ShownEffect in their order, empty ones left out. Text in it is untrusted: render before showing.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "policy/decision.hpp"
#include "proxy/base/error.hpp"

namespace approvals {

struct ShownEffect {
  std::string effect;   // kind: `write`
  std::string summary;  // `write /w/a.txt`
  std::string path;     // where links lead, when that differs from the path as written; else empty
  std::string tier;     // ALLOW, ASK or DENY
  std::string rule;     // empty: the default decided
  std::string layer;
  std::string place;  // `file:line`
  std::string why;
  std::string found;    // in its content, by a rule that looks there: what and where
  std::string history;  // which earlier calls made the rule hold
  std::string remedy;
  std::string almost;       // the rule that would allow it but for one of its keys
  std::uint64_t grant = 0;  // ALLOW: that answers what the rule or default asks; 0: none
  bool opaque = false;
  std::string caution;  // why an allow is not enough
  std::string note;
  bool operator==(const ShownEffect&) const = default;
};

std::string effects_payload(const policy::Decision& decision);
// The same without `history` and `almost`: what an answer is bound to, since other calls pass while one
// waits.
std::string bound_effects(const policy::Decision& decision);
// What the call would do and nothing of what decides, with the folders that commands run in: a grant knows
// the same call by it, whatever the policy is then.
std::string effects_alone(const policy::Decision& decision);

// Code::invalid: not such a list. Unknown members are ignored, missing ones are empty.
base::Result<std::vector<ShownEffect>> effects_from_payload(std::string_view payload);

}  // namespace approvals
