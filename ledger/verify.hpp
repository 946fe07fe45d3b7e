#pragma once
// Checks a whole ledger against FORMAT.md, in one snapshot, in constant memory but for the fold: what is
// stored, not what the writer meant. It uses nothing of the writer.
//
// Checked: the schema text for text; the chain (gapless, each `previous` the leaf before, each leaf of its
// body); that each body is exactly what its record encodes to; derived columns and tables against what the
// bodies give; each payload against its commitment, both ways; that `answers` points at an earlier record of
// a fitting type; that only asks that were allowed are released, once; operator signatures under the key of
// record 0; the head against the high-water mark.
//
// Never shown by this alone: that nobody who can write the files made all of them anew. The level says so.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ledger/writer.hpp"
#include "proxy/base/error.hpp"

namespace ledger {

struct Finding {
  static constexpr std::uint64_t no_record = ~std::uint64_t{0};
  std::uint64_t sequence = no_record;  // the record it is about
  std::string what;                    // one printable sentence
  bool operator==(const Finding&) const = default;
};

struct Report {
  enum class Level {
    lost,             // the head is below the high-water mark, or the mark or the database is gone
    inconsistent,     // findings
    self_consistent,  // what is there fits together
  };
  Level level = Level::inconsistent;
  std::string ledger;                // id, 32 hex digits; empty when there is no genesis
  std::uint64_t records = 0;         // rows read
  std::uint64_t payloads = 0;        // that match their commitment
  Reference head;                    // last record read
  std::string loss;                  // why `lost`; one sentence
  std::vector<Finding> findings;     // the first ones, in order of the records
  std::uint64_t findings_count = 0;  // all
  std::vector<Finding> notes;        // odd but allowed: clocks that step back, losses that were adopted
  std::uint64_t notes_count = 0;
  std::string unproven;  // which range could be dropped or rewritten unnoticed
};
const char* name(Report::Level level);  // `LOST`, `INCONSISTENT`, `SELF-CONSISTENT`

struct VerifyOptions {
  std::size_t findings_max = 100;  // kept; all are counted
  // Now and then: so many records are read of so many.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress;
};

// Code::not_found: there is no ledger and no sign of one. Code::io, Code::unavailable: it cannot be read.
// Where the folder cannot be written (SQLite needs that to read a WAL), a private copy is read instead.
base::Result<Report> verify(const Place& place, const VerifyOptions& options = {});

}  // namespace ledger
