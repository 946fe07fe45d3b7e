#pragma once
// A violation, from the decision that refused a call. This version records and announces it; classification
// by signals, pausing, plans and restore stand on this seam later.

#include <optional>
#include <string>

#include "ledger/record.hpp"
#include "policy/decision.hpp"

namespace recovery {

// Of a DENY. A rule's breach: kind `rule`, the rule's severity, its class (`malicious` where the rule says
// so, else `configuration`). Of severity low and class `configuration`, without a rule: what nothing covered,
// kind `uncovered`, and what is no breach of the agent's: `unattended`, where a rule asks and nobody is there
// to answer, and `unreadable`, where a policy cannot be read. Else nullopt.
std::optional<ledger::Violation> violation_of(const policy::Decision& decision);

// One line for the operator's log: no arguments, untrusted names printable.
std::string announcement(const ledger::Violation& violation, const std::string& server,
                         const std::string& tool);

}  // namespace recovery
