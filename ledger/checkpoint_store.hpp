#pragma once
// Checkpoints in the database, and the tree at the last of them (FORMAT.md, «Checkpoints», «Database»).

#include <cstdint>
#include <string>

#include "ledger/database.hpp"
#include "ledger/merkle.hpp"

namespace ledger::checkpoint_store {

// The tree at the last checkpoint; empty where there is none. Code::conflict: it is not the one that was
// signed.
base::Result<Tree> load(const Database& database, const std::string& ledger);
// Size of the last checkpoint; 0: there is none.
base::Result<std::uint64_t> last_size(const Database& database);
// Inside the caller's transaction.
base::Result<void> save(const Database& database, const Tree& tree, const std::string& note);

}  // namespace ledger::checkpoint_store
