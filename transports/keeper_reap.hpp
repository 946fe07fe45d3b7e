#pragma once
// What becomes of processes that were left to the keeper, or to callgate when its keeper was killed.
// Async-signal-safe, as keeper.hpp says.

#include <sys/types.h>

namespace transports::keeper {

// Reaps every ended child but `spared` (0: none).
void reap_orphans(pid_t spared);

// Kills and reaps until there is no child: those of a killed child are reparented to us, the subreaper, and
// are next.
void end_all_children();

}  // namespace transports::keeper
