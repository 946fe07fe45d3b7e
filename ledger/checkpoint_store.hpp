#pragma once
// Checkpoints in the database, and the tree at the last of them (FORMAT.md, «Checkpoints», «Database»).

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "ledger/database.hpp"
#include "ledger/merkle.hpp"

namespace ledger::checkpoint_store {

// The tree at the last checkpoint; empty where there is none. Code::conflict: it is not the one that was
// signed.
base::Result<Tree> load(const Database& database, const std::string& ledger);
// Size of the last checkpoint; 0: there is none.
base::Result<std::uint64_t> last_size(const Database& database);
// Inside the caller's transaction. `missions`: that have records since the checkpoint before.
base::Result<void> save(const Database& database, const Tree& tree, const std::string& note,
                        const std::set<std::string>& missions);

// Records [first, end).
struct Range {
  std::uint64_t first = 0, end = 0;
  bool operator==(const Range&) const = default;
};
// Where the mission's records are, in order; the last has no end (integer_max) and may hold none of it.
base::Result<std::vector<Range>> ranges_of(const Database& database, const std::string& mission);

}  // namespace ledger::checkpoint_store
