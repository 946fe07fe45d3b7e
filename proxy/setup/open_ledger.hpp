#pragma once
// How the ledger is opened to write, and verified: one way for all, so that whoever comes first makes it
// rightly.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ledger/verify.hpp"
#include "ledger/writer.hpp"
#include "proxy/base/error.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy {

// What judges here: `callgate VERSION`, a blank, and policy::built_in_digest() in 64 hex digits.
std::string engine();

ledger::WriterOptions writer_options(const Surroundings& here);

// What the operator's side knows that a verifier needs: the keys that are pinned.
base::Result<ledger::VerifyOptions> verify_options(const Surroundings& here);

// `secrets` are redacted wherever they stand. The operator's key is made when the ledger is.
base::Result<std::unique_ptr<ledger::Writer>> open_ledger(
    const Surroundings& here, ledger::Durability durability = ledger::Durability::disk,
    std::vector<std::string> secrets = {},
    std::function<void(const std::string& note)> signed_head = nullptr);

}  // namespace proxy
