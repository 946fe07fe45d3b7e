#pragma once
// Every record with its payloads, in order, once.

#include "ledger/database.hpp"
#include "ledger/fold.hpp"
#include "ledger/verify_findings.hpp"

namespace ledger {

struct RecordsRead {
  Fold state;  // over all records that decode
  std::optional<base::Digest> leaf_at_mark;
  std::optional<std::uint64_t> head;  // highest sequence in the table
};

// Error: the database cannot be read (I/O). Damage is a finding and ends the reading.
base::Result<RecordsRead> check_records(const Database& database, const std::optional<Reference>& mark,
                                        Report& report, Findings& findings,
                                        const decltype(VerifyOptions::progress)& progress = nullptr);

}  // namespace ledger
