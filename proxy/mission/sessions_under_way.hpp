#pragma once
// What sessions under way make of the policy files as they stand, for the commands that say what would be
// decided: it need not be what a session makes of them that starts now.

#include <optional>
#include <string>

#include "policy/policy.hpp"
#include "proxy/base/error.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy {

struct SessionsUnderWay {
  policy::Policy policy;  // that they judge the next call by
  std::string waits_for;  // the command that lets the files hold as they stand; empty: they do
};

// Of the newest session in this workspace with the same file of --policy (`file`, or empty). nullopt: none is
// under way, or it judges as one would that starts now (`at_start`). Error: the ledger cannot be read.
base::Result<std::optional<SessionsUnderWay>> sessions_under_way(const Surroundings& here,
                                                                 const std::string& file,
                                                                 const policy::Policy& at_start);

// A sentence for the operator: why they judge otherwise, what holds meanwhile, and what to do.
std::string notice_of(const Surroundings& here, const SessionsUnderWay& sessions,
                      const policy::Policy& at_start);

}  // namespace proxy
