#pragma once
// Verifying the ledger for a command: against what the operator's side pins, with progress on a terminal.

#include <string>
#include <vector>

#include "ledger/verify.hpp"
#include "proxy/base/error.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {

base::Result<ledger::Report> verified(const Surroundings& here);
base::Result<ledger::Report> verified(const Surroundings& here, ledger::VerifyOptions options);

// What each configured anchor holds, read back; may take seconds.
base::Result<std::vector<ledger::AnchorReading>> read_anchors(const Surroundings& here);

inline constexpr int exit_unreadable = 4;
inline constexpr int exit_below = 5;  // less is proven than asked for

// The exit code of a report (ledger/README.md), where at least this level is asked for.
int exit_of(const ledger::Report& report,
            ledger::Report::Level required = ledger::Report::Level::self_consistent);

}  // namespace proxy::commands
