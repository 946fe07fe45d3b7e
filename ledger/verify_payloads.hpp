#pragma once
// The payload table beside the records: both are in order of the sequence.

#include <string>

#include "ledger/payload_rows.hpp"
#include "ledger/verify_findings.hpp"
#include "ledger/verify_removals.hpp"

namespace ledger {

class Payloads {
 public:
  static base::Result<Payloads> open(const Database& database, base::Result<std::string> wrapping_key,
                                     Removals& removals, Report& report, Findings& findings);

  // Of this record, and all before it that belong to none.
  base::Result<void> check(const Record& record);
  // What is left, and the keys that seal nothing.
  base::Result<void> finish();

 private:
  Payloads(const Database& database, Statement rows, base::Result<std::string> wrapping_key,
           Removals& removals, Report& report, Findings& findings);
  base::Result<void> next();
  base::Result<void> skip_to(std::int64_t id);
  base::Result<void> check_row(const Record& record, const Commitment& commitment);
  base::Result<void> check_keys();

  const Database& database_;
  Statement rows_;
  PayloadRows opener_;
  Removals& removals_;
  Report& report_;
  Findings& findings_;
  std::uint64_t unopened_ = 0;  // the wrapping key is not there
  std::string why_unopened_;
  bool begun_ = false;
  bool there_ = false;
};

}  // namespace ledger
