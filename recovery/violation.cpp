#include "recovery/violation.hpp"

#include "policy/load/built_in.hpp"
#include "proxy/base/text.hpp"

namespace recovery {

std::optional<ledger::Violation> violation_of(const policy::Decision& decision) {
  if (decision.tier != policy::Tier::deny) return std::nullopt;
  const policy::Reason* reason = policy::deciding(decision);
  if (reason == nullptr || reason->rule.empty())
    return ledger::Violation{"uncovered", "configuration", "low", ""};
  // A rule asks, and breached is none.
  if (reason->tier != policy::Tier::deny) return ledger::Violation{"unattended", "configuration", "low", ""};
  // The file is the operator's to mend: whatever the agent calls is denied.
  if (policy::is_unreadable(*reason)) return ledger::Violation{"unreadable", "configuration", "low", ""};
  return ledger::Violation{"rule",
                           reason->violation_class.empty() ? "configuration" : reason->violation_class,
                           policy::name(reason->severity), reason->rule};
}

std::string announcement(const ledger::Violation& violation, const std::string& server,
                         const std::string& tool) {
  const std::string what = base::quoted(server + "/" + tool);
  if (violation.kind == "uncovered") return "violation (low): no rule covers " + what;
  if (violation.kind == "unattended")
    return "configuration (low): " + what +
           " is denied, since nobody is there to approve it (`unattended`); it breaches no rule";
  if (violation.kind == "unreadable")
    return "configuration (low): " + what +
           " is denied, since the policy cannot be read; it breaches no rule";
  if (violation.kind == "result")
    return "violation (" + violation.severity + ", " + violation.violation_class + "): what came back from " +
           what + " breaches rule " + base::quoted(violation.rule) + ", and was kept from the agent";
  return "violation (" + violation.severity + ", " + violation.violation_class + "): " + what +
         " breaches rule " + base::quoted(violation.rule);
}

}  // namespace recovery
