// callgate ledger key: the key that signed heads are checked with; another in its place.

#include <algorithm>
#include <cstdio>

#include "ledger/reader.hpp"
#include "proxy/commands/ledger_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/setup/open_ledger.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

// Of the ledger that stands; what is pinned may be of others, too.
base::Result<std::string> first_key(const ledger::Place& place) {
  const auto reader = ledger::Reader::open(place);
  if (!reader) return reader.error();
  const auto genesis = (*reader)->record(0);
  if (!genesis) return genesis.error();
  const auto key =
      *genesis ? base::digest_from_hex((*genesis)->record.detail("checkpoint_key")) : std::nullopt;
  if (!key) return base::Error(base::Code::invalid, "the ledger's first record holds no key");
  return ledger::verifier_key((*genesis)->record.ledger, *key);
}

}  // namespace

int ledger_key(const LedgerKey& options) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error());
  const auto key = first_key({here->state_folder});
  if (!key) return fail(key.error(), exit_failed);
  if (!options.rotate) {
    std::printf("%s\n", key->c_str());
    return 0;
  }
  const auto writer = open_ledger(*here);
  if (!writer) return fail(writer.error(), exit_failed);
  const auto rotated = (*writer)->rotate_key();
  if (!rotated) return fail(rotated.error(), exit_failed);
  std::printf("another key signs from record %llu on; the one before is gone\n",
              static_cast<unsigned long long>(rotated->sequence));
  return 0;
}

}  // namespace proxy::commands
