#pragma once
// The ledger verified before anything of it is shown, with progress on a terminal.

#include "ledger/verify.hpp"

namespace proxy::commands {

base::Result<ledger::Report> verified(const ledger::Place& place);

// 0 self-consistent, 1 findings, 3 records are lost: what `callgate ledger verify` ends with.
int exit_of(ledger::Report::Level level);

}  // namespace proxy::commands
