#pragma once
// The fold in the derived tables mission, ask, grant, trust and state.

#include "ledger/database.hpp"
#include "ledger/fold.hpp"

namespace ledger {

class FoldStore {
 public:
  static base::Result<Fold> load(const Database& database);
  // Writes what differs between two folds; inside the caller's transaction.
  static base::Result<void> save(const Database& database, const Fold& before, const Fold& after);
};

}  // namespace ledger
