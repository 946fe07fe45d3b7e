// callgate replay MISSION: what a mission did, from the ledger. Its modes stand in files of their own
// (replay_commands.hpp); which one is meant is said here alone.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "proxy/commands/commands.hpp"
#include "proxy/commands/replay_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

int replay_mission(const ReplayOptions& options) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error(), exit_usage);
  return replay_timeline(*here, options);
}

}  // namespace

void add_replay(CLI::App& app, int& exit) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand(
      "replay",
      "What a mission did, call by call, once its ledger has been verified.\nExample: callgate replay last");
  command
      ->add_option("MISSION", options->mission,
                   "Its id or name, `NAME@RECORD` where a name was used again, or `last`")
      ->type_name("")
      ->required();
  command->add_flag("--json", options->json, "Print one object");
  command->callback([options, &exit] { exit = replay_mission(*options); });
}

}  // namespace proxy::commands
