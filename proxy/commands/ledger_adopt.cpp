// callgate ledger adopt: the operator goes on after a loss.

#include <cstdio>
#include <string>

#include "ledger/verify.hpp"
#include "ledger/writer.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/ledger_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/setup/open_ledger.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

// For what adopting cannot mend.
std::string way_on(const Surroundings& here) {
  return "; to go on with a new ledger, move " + base::quoted(here.state_folder, base::path_shown_bytes_max) +
         " aside and keep it as evidence: the next run makes a new one, with a new operator key";
}

std::string what_would_be_done(const Surroundings& here, const ledger::Report& report) {
  switch (report.level) {
    case ledger::Report::Level::lost:
      return "the ledger has lost records: " + report.loss +
             "; `--yes` would put that on record and go on with those that are left: keep a copy of " +
             base::quoted(here.state_folder, base::path_shown_bytes_max) + " first";
    case ledger::Report::Level::self_consistent:
    case ledger::Report::Level::head_signed:
    case ledger::Report::Level::anchored: return "nothing is lost: there is nothing to adopt";
    case ledger::Report::Level::inconsistent: break;
  }
  return "nothing is lost, but the ledger does not fit together, and adopting mends nothing of that "
         "(`callgate ledger verify` says where)" +
         way_on(here);
}

}  // namespace

int adopt_loss(bool yes) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error());
  if (!yes) {
    const auto report = ledger::verify({here->state_folder});
    if (!report) return fail(report.error(), exit_failed);
    complain(what_would_be_done(*here, *report));
    return exit_failed;
  }
  const auto adopted = ledger::Writer::adopt_loss({here->state_folder}, writer_options(*here));
  if (!adopted && adopted.error().code() == base::Code::invalid) {
    complain(adopted.error().text() + way_on(*here));
    return exit_failed;
  }
  if (!adopted) return fail(adopted.error());
  std::printf("the loss is on record %llu; the ledger goes on\n",
              static_cast<unsigned long long>(adopted->sequence));
  return 0;
}

}  // namespace proxy::commands
