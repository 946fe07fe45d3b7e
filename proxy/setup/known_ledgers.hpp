#pragma once
// The ledgers that were made here, by the verifier key of their first checkpoints: the file `ledgers` in the
// configuration folder, one key a line, the newest last (ledger/FORMAT.md, «Checkpoints»). It stands apart
// from the ledger, so that one that was made anew is not taken for it.

#include <string>
#include <vector>

#include "ledger/checkpoint.hpp"
#include "proxy/base/error.hpp"

namespace proxy {

// Where there is no such file, none. Code::invalid, with its place: a line is no verifier key.
base::Result<std::vector<ledger::VerifierKey>> known_ledgers(const std::string& config_folder);

// Adds a line.
base::Result<void> remember_ledger(const std::string& config_folder, const std::string& verifier_key);

}  // namespace proxy
