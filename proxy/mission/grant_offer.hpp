#pragma once
// What may be allowed of an asked call for the rest of its mission, beside allowing it once. It is put on
// record with the ask, since the operator's process has only the record to go by. Pure.

#include <string>

#include "policy/grant.hpp"
#include "policy/policy.hpp"
#include "proxy/base/sha256.hpp"

namespace proxy {

struct GrantOffer {
  policy::EachTime each_time = policy::EachTime::uncovered;  // `no`: it may be granted
  base::Digest same{};                                       // what a grant of this very call is known by
  std::string rule;  // TOML that covers exactly what is asked; empty: one rule cannot
};

// What the rule of each grant begins with: `[[allow]]`, its id and the server.
std::string rule_head(const std::string& server);
// The rule of a grant for one tool of one server (of another method: for that method), whatever its
// arguments. Empty: the names hold characters that patterns read otherwise.
std::string rule_for_tool(const std::string& server, const std::string& method, const std::string& tool);

// Of a call that is asked: each rule is tried, and none is offered that would not let the call pass.
GrantOffer grant_offer(const policy::Policy& policy, const policy::Call& call, const policy::Scene& scene,
                       const policy::History& history, const policy::Decision& asked,
                       const base::Digest& same);

}  // namespace proxy
