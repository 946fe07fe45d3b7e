// callgate diff A B: what two missions differ in.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "proxy/commands/commands.hpp"
#include "proxy/commands/replay_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/commands/verified.hpp"
#include "proxy/replay/difference.hpp"
#include "proxy/replay/words.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

struct Options {
  std::string a, b;
  bool json = false;
};

// A script must not take what is missing for a difference.
int diff_missions(const Options& options) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error(), exit_usage);
  const auto missions = verified_missions(*here, {options.a, options.b}, {.results = true});
  if (!missions) return fail(missions.error(), exit_usage);
  const VerifiedMission& a = missions->front();
  const VerifiedMission& b = missions->back();
  for (const VerifiedMission* each : {&a, &b}) {
    if (exit_of(each->checked.level) == 0) continue;
    complain("the ledger of mission " + each->timeline.span.id + ": " + replay::checked_text(each->checked));
  }
  const auto difference = replay::difference_of(a.timeline, b.timeline);
  if (options.json)
    std::printf("%s\n", replay::difference_json(difference, a.timeline, b.timeline).dump(2).c_str());
  else
    for (const std::string& line : replay::difference_lines(difference, a.timeline, b.timeline))
      std::printf("%s\n", line.c_str());
  return difference.any() ? exit_failed : 0;
}

}  // namespace

void add_diff(CLI::App& app, int& exit) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "diff",
      "What two missions differ in: configuration, calls of one alone, and calls of both that went "
      "otherwise.\nCalls are the same by server, tool and arguments, the path of the workspace aside; other "
      "durations are\nshown and are no difference. Exit 0 no difference, 1 differences, 2 usage or ledger "
      "error.\nExample: callgate diff m-1f2e3d4c5b6a last");
  command->add_option("A", options->a, "A mission, as `callgate replay` takes it")->type_name("")->required();
  command->add_option("B", options->b, "Another")->type_name("")->required();
  command->add_flag("--json", options->json, "Print one object");
  command->callback([options, &exit] { exit = diff_missions(*options); });
}

}  // namespace proxy::commands
