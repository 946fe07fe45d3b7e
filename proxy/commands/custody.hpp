#pragma once
// What the commands of holds, purges and erasures share: the operator's key, and a ledger open to write.

#include <memory>

#include "ledger/writer.hpp"
#include "proxy/base/ed25519.hpp"
#include "proxy/base/error.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {

struct Custody {
  Surroundings here;
  base::SigningKey key;
  std::unique_ptr<ledger::Writer> writer;
};
base::Result<Custody> open_custody();

}  // namespace proxy::commands
