#pragma once
// Checks a whole ledger against FORMAT.md, in one snapshot, in constant memory but for the fold: what is
// stored, not what the writer meant. It uses nothing of the writer.
//
// Checked: the schema text for text; the chain (gapless, each `previous` the leaf before, each leaf of its
// body); that each body is exactly what its record encodes to; derived columns and tables against what the
// bodies give; each payload against its commitment, both ways; that `answers` points at an earlier record of
// a fitting type; that only asks that were allowed are released, once; operator signatures under the key of
// record 0; the head against the high-water mark; each checkpoint against the Merkle tree over the leaves and
// the key that stood then; copies of checkpoints that anchors hold.
//
// Never shown by the ledger's files alone: that nobody who can write them made all of them anew. The level
// says so.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ledger/checkpoint.hpp"
#include "ledger/writer.hpp"
#include "proxy/base/error.hpp"

namespace ledger {

// Of what kind a finding is; the gravest comes first in what a report is about.
enum class Kind {
  purge,       // something is gone, and no purge or erasure on record accounts for it
  chain,       // records are missing, moved or put in
  altered,     // bytes were changed: of a body, a leaf, a payload, what is derived, the database
  checkpoint,  // a signed head, its key or its copy elsewhere says otherwise
  history,     // what records say about each other cannot be: signatures, answers, grants, schema
};
const char* name(Kind kind);  // `purge`, `chain`, …

struct Finding {
  static constexpr std::uint64_t no_record = ~std::uint64_t{0};
  std::uint64_t sequence = no_record;  // the record it is about
  std::string what;                    // one printable sentence
  Kind kind = Kind::history;
  bool operator==(const Finding&) const = default;
};

struct Report {
  enum class Level {
    lost,             // the head is below the high-water mark, or the mark or the database is gone
    inconsistent,     // findings
    self_consistent,  // what is there fits together
    signed_,          // and checkpoints under the pinned key sign it
    anchored,         // and anchors hold such a checkpoint
  };
  Level level = Level::inconsistent;
  std::string ledger;                // id, 32 hex digits; empty when there is no genesis
  std::uint64_t records = 0;         // rows read
  std::uint64_t payloads = 0;        // that match their commitment
  std::uint64_t removed = 0;         // payloads that are gone
  Reference head;                    // last record read
  std::string loss;                  // why `lost`; one sentence
  std::vector<Finding> findings;     // the first ones, in order of the records
  std::uint64_t findings_count = 0;  // all
  std::vector<Finding> notes;        // odd but allowed: clocks that step back, losses that were adopted
  std::uint64_t notes_count = 0;
  std::optional<Kind> kind;       // the gravest of the findings
  std::string wal;                // what is wrong with the write-ahead log; empty: nothing
  std::uint64_t checkpoints = 0;  // with a valid signature, of the right records
  std::uint64_t signed_size = 0;  // records that the last of them signs
  bool pinned = false;            // under a key that was pinned
  std::string first_key;          // verifier key of the first checkpoints; empty when there is none
  struct Anchor {
    std::string name;
    std::uint64_t size = 0;  // records that the newest checkpoint there signs
    std::string trouble;     // why it proves nothing; empty: it does
  };
  std::vector<Anchor> anchors;
  std::uint64_t anchored_size = 0;  // the largest of them
  std::size_t anchored() const;     // how many prove something
  std::string unproven;             // which range could be dropped or rewritten unnoticed; empty: none
};
// Nothing that was looked at speaks against it.
constexpr bool is_sound(Report::Level level) { return level >= Report::Level::self_consistent; }
const char* name(Report::Level level);  // `LOST`, `INCONSISTENT`, `SELF-CONSISTENT`, `SIGNED`, `ANCHORED`

// What an anchor holds, as it was read back.
struct AnchorReading {
  std::string name;
  std::vector<std::string> notes;  // signed notes, as they stand there; those of other ledgers do not count
  std::string trouble;             // why it could not be read; empty: it was
};

struct VerifyOptions {
  std::size_t findings_max = 100;  // kept; all are counted
  // Verifier keys of the first checkpoints that the ledger may have; none: nothing is pinned.
  std::vector<VerifierKey> pins;
  std::vector<AnchorReading> anchors;
  // Now and then: so many records are read of so many.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress;
};

// Code::not_found: there is no ledger and no sign of one. Code::io, Code::unavailable: it cannot be read.
// Where the folder cannot be written (SQLite needs that to read a WAL), a private copy is read instead.
base::Result<Report> verify(const Place& place, const VerifyOptions& options = {});

}  // namespace ledger
