#pragma once
// How commands open the ledger to write: one way for all, so that whoever comes first makes it rightly.

#include <memory>
#include <string>
#include <vector>

#include "ledger/writer.hpp"
#include "proxy/surroundings.hpp"

namespace proxy::commands {

ledger::WriterOptions writer_options(const Surroundings& here);

base::Result<std::unique_ptr<ledger::Writer>> open_ledger(
    const Surroundings& here, ledger::Durability durability = ledger::Durability::disk,
    std::vector<std::string> secrets = {});

// `callgate: …` on stderr; 2 for what the user gave, 1 for all else.
int fail(const base::Error& error);

}  // namespace proxy::commands
