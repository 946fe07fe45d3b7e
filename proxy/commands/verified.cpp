#include "proxy/commands/verified.hpp"

#include "proxy/anchors/anchor.hpp"
#include "proxy/commands/progress.hpp"
#include "proxy/setup/config.hpp"
#include "proxy/setup/open_ledger.hpp"

namespace proxy::commands {
namespace {

using ledger::Kind;
using Level = ledger::Report::Level;

constexpr int exit_lost = 3, exit_lost_with_wal = 10;

int exit_of(Kind kind) {
  switch (kind) {
    case Kind::history: return 1;
    case Kind::altered: return 6;
    case Kind::chain: return 7;
    case Kind::purge: return 8;
    case Kind::checkpoint: return 9;
  }
  return 1;
}

}  // namespace

base::Result<ledger::Report> verified(const Surroundings& here) {
  auto options = verify_options(here);
  if (!options) return options.error();
  return verified(here, std::move(*options));
}

base::Result<ledger::Report> verified(const Surroundings& here, ledger::VerifyOptions options) {
  Progress progress("verifying", "records");
  options.progress = [&](std::uint64_t done, std::uint64_t all) { progress.at(done, all); };
  return ledger::verify({here.state_folder}, options);
}

base::Result<std::vector<ledger::AnchorReading>> read_anchors(const Surroundings& here) {
  const auto config = load_config(here.config_folder + "/callgate.toml");
  if (!config) return config.error();
  std::vector<ledger::AnchorReading> readings;
  for (const AnchorConfig& each : config->anchors) {
    const auto anchor = anchors::make_anchor(each);
    auto notes = anchor->read();
    ledger::AnchorReading reading{anchor->name(), {}, notes ? "" : notes.error().text()};
    if (notes) reading.notes = std::move(*notes);
    readings.push_back(std::move(reading));
  }
  return readings;
}

int exit_of(const ledger::Report& report, Level required) {
  switch (report.level) {
    case Level::lost: return report.wal.empty() ? exit_lost : exit_lost_with_wal;
    case Level::inconsistent: return exit_of(report.kind.value_or(Kind::history));
    case Level::self_consistent:
    case Level::signed_:
    case Level::anchored: break;
  }
  return report.level < required ? exit_below : 0;
}

}  // namespace proxy::commands
