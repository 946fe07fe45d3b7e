#pragma once
// What verify reads: one snapshot of the database, and the high-water mark as it stood then.

#include <optional>
#include <string>

#include "ledger/database.hpp"
#include "ledger/mark.hpp"
#include "ledger/writer.hpp"

namespace ledger {

// Removes a private copy when it goes.
class PrivateCopy {
 public:
  PrivateCopy() = default;
  explicit PrivateCopy(std::string folder) : folder_(std::move(folder)) {}
  PrivateCopy(PrivateCopy&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  PrivateCopy& operator=(PrivateCopy&&) = delete;
  ~PrivateCopy();

 private:
  std::string folder_;
};

struct Snapshot {
  PrivateCopy copy;                  // before the database, so that it goes after it
  std::optional<Database> database;  // in a read transaction; none: gone or empty
  std::optional<Reference> mark;
  std::string mark_trouble;  // why there is no mark: `missing`, `damaged`, …
  std::string folder;        // the ledger's own
  std::string wal;           // what is wrong with the write-ahead log; empty: nothing
};

// Code::not_found when there is neither database nor mark. Holds the ledger's lock while it opens, where
// there is one.
base::Result<Snapshot> open_snapshot(const Place& place);

}  // namespace ledger
