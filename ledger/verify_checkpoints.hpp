#pragma once
// Signed heads against the records: those of the table `checkpoint`, and the copies that anchors hold. The
// Merkle tree grows with the records; at each size that a checkpoint names, the root must be the one that it
// signs.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ledger/checkpoint.hpp"
#include "ledger/database.hpp"
#include "ledger/merkle.hpp"
#include "ledger/verify_findings.hpp"

namespace ledger {

class Checkpoints {
 public:
  static base::Result<Checkpoints> open(const Database& database, const VerifyOptions& options,
                                        Report& report, Findings& findings);

  // Of each record in order. `key` signs from this record on (64 hex digits).
  base::Result<void> add(const base::Digest& leaf, const std::string& key, const std::string& mission);
  // Sizes of those that sign the right records, so far.
  const std::set<std::uint64_t>& sizes() const { return sizes_; }
  // A `key_rotation` comes next: a checkpoint must stand right before it.
  void require_checkpoint();
  // A loss of records after `head`, up to `mark`, is on record as adopted.
  void adopted_loss(std::uint64_t head, std::uint64_t mark);
  // After the last record.
  base::Result<void> finish();
  // What the checkpoints and their copies say is gone; empty: nothing.
  const std::string& loss() const { return loss_; }

 private:
  struct Copy {
    std::size_t anchor = 0;
    SignedCheckpoint note;
  };
  Checkpoints(Statement rows, const Database& database, Report& report, Findings& findings)
      : database_(database), rows_(std::move(rows)), report_(report), findings_(findings) {}
  void take_copies(const VerifyOptions& options);
  void check_pin(const std::string& key);
  base::Result<void> next();
  base::Result<void> check_missions();
  void check_row(const std::string& key);
  void check_copies(const std::string& key);
  void check_copy(const Copy& copy, const std::string& key);
  void check_gap(std::uint64_t to);
  base::Result<void> check_tree();

  const Database& database_;
  Statement rows_;
  Report& report_;
  Findings& findings_;
  std::vector<VerifierKey> pins_;
  std::vector<Copy> copies_;  // by size
  std::size_t next_copy_ = 0;
  Tree tree_, signed_tree_;
  std::set<std::uint64_t> sizes_;
  std::set<std::string> missions_;  // since the checkpoint before
  std::optional<Statement> parts_;
  bool there_ = false;                               // a row is left
  bool mismatched_ = false;                          // said once
  std::uint64_t last_ = 0;                           // size of the checkpoint before
  std::uint64_t adopted_from_ = 0, adopted_to_ = 0;  // sizes of trees that were lost, (from, to]
  std::string loss_;
};

}  // namespace ledger
