#pragma once
// Every record with its payloads, in order, once.

#include "ledger/fold.hpp"
#include "ledger/verify_findings.hpp"
#include "ledger/verify_open.hpp"

namespace ledger {

struct RecordsRead {
  Fold state;  // over all records that decode
  std::optional<base::Digest> leaf_at_mark;
  std::optional<std::uint64_t> head;  // highest sequence in the table
  std::string loss;                   // that checkpoints and their copies tell of; empty: none
};

// Error: the database cannot be read (I/O). Damage is a finding and ends the reading.
base::Result<RecordsRead> check_records(const Snapshot& snapshot, const VerifyOptions& options,
                                        Report& report, Findings& findings);

}  // namespace ledger
