// callgate ledger adopt: the operator goes on after a loss.

#include <cstdio>

#include "ledger/writer.hpp"
#include "proxy/commands/ledger_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/open_ledger.hpp"
#include "proxy/surroundings.hpp"

namespace proxy::commands {

int adopt_loss(bool yes) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error());
  if (!yes) {
    complain(
        "would put the loss on record and go on with the records that are left; run `callgate ledger verify` "
        "first, keep a copy of the files, then say `--yes`");
    return exit_failed;
  }
  const auto adopted = ledger::Writer::adopt_loss({here->state_folder}, writer_options(*here));
  if (!adopted) return fail(adopted.error());
  std::printf("the loss is on record %llu; the ledger goes on\n",
              static_cast<unsigned long long>(adopted->sequence));
  return 0;
}

}  // namespace proxy::commands
