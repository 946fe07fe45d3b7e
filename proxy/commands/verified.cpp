#include "proxy/commands/verified.hpp"

#include "proxy/commands/progress.hpp"

namespace proxy::commands {

base::Result<ledger::Report> verified(const ledger::Place& place) {
  Progress progress("verifying", "records");
  ledger::VerifyOptions options;
  options.progress = [&](std::uint64_t done, std::uint64_t all) { progress.at(done, all); };
  return ledger::verify(place, options);
}

int exit_of(ledger::Report::Level level) {
  switch (level) {
    case ledger::Report::Level::self_consistent: return 0;
    case ledger::Report::Level::inconsistent: return 1;
    case ledger::Report::Level::lost: return 3;
  }
  return 1;
}

}  // namespace proxy::commands
