#pragma once
// What a dead writer left open, and the records that close it (FORMAT.md, «Writers»). A value without I/O.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ledger/fold.hpp"
#include "ledger/record.hpp"

namespace ledger {

class Leftovers {
 public:
  explicit Leftovers(std::string writer) : writer_(std::move(writer)) {}

  // Every record from the writer's first on, in order, whoever wrote it.
  void add(const Record& record, const base::Digest& leaf);
  // The sequence after the last record added; 0: none yet.
  std::uint64_t next() const { return next_; }

  // Outcomes `unknown`, asks withdrawn, writer_stop; empty when the writer never started or has stopped.
  // `fold` is the state at the last record added.
  std::vector<Record> closing(const Fold& fold) const;

 private:
  struct Call {
    Reference decision;
    std::string mission, server;
    std::uint64_t number = 0;
  };
  void add_mine(const Record& record, const base::Digest& leaf);

  std::string writer_;
  std::uint64_t next_ = 0;
  std::optional<Reference> start_;
  bool stopped_ = false;
  std::map<std::uint64_t, Call> calls_;  // by decision: passed on, no outcome yet
  std::set<std::string> joined_;         // asks (decimal) that a call of this writer waits on
};

}  // namespace ledger
