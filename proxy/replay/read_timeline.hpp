#pragma once
// The timeline of a mission from the ledger.

#include "ledger/reader.hpp"
#include "ledger/verify.hpp"
#include "proxy/base/error.hpp"
#include "proxy/replay/timeline.hpp"

namespace proxy::replay {

struct ReadOptions {
  bool results = false;  // Call::returned, too, which takes longer
};

// Notes of `report`, which verify gave, are put where they belong. An error: the ledger cannot be read.
base::Result<Timeline> read_timeline(const ledger::Reader& reader, const MissionSpan& span,
                                     const ledger::Report& report, const ReadOptions& options = {});

}  // namespace proxy::replay
