// callgate replay MISSION: what a mission did, from the ledger. Its modes stand in files of their own
// (replay_commands.hpp); which one is meant is said here alone.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>
#include <string>

#include "proxy/base/clock.hpp"
#include "proxy/commands/commands.hpp"
#include "proxy/commands/ledger_commands.hpp"
#include "proxy/commands/replay_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

int replay_mission(const ReplayOptions& options) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error(), exit_usage);
  if (options.serve) return replay_serve(*here, options);
  if (!options.policy.empty()) return replay_policy(*here, options);
  if (options.check) return replay_check(*here, options);
  return replay_timeline(*here, options);
}

void add_filter(CLI::App& command, ReplayOptions& options, std::string& since) {
  command.add_option("--server", options.filter.server, "Only calls of this server")->type_name("NAME");
  command.add_option("--tool", options.filter.tool, "Only calls of this tool, or method")->type_name("NAME");
  command.add_option("--decision", options.filter.decision, "Only calls decided so")
      ->check(CLI::IsMember({"ALLOW", "ASK", "DENY"}, CLI::ignore_case).description(""))
      ->type_name("ALLOW|ASK|DENY");
  command.add_option("--grep", options.filter.grep, "Only what has this text, in any case")
      ->type_name("TEXT");
  command.add_flag("--violations", options.filter.violations, "Only calls with violations");
  command
      .add_option("--since", since,
                  "Only what happened since then: so long ago (10m, 2h, 1d), or a UTC time or day")
      ->type_name("WHEN");
}

}  // namespace

void add_replay(CLI::App& app, int& exit) {
  auto options = std::make_shared<ReplayOptions>();
  auto since = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("replay",
                         "What a mission did, call by call, once its ledger has been verified.\n"
                         "Exits as `callgate ledger verify` does: 0 (consistent), 1 (findings, or it cannot "
                         "be read), 2 (usage, or "
                         "no\nsuch mission), 3 (records are lost).\nExample: callgate replay last");
  command
      ->add_option("MISSION", options->mission,
                   "Its id or name, `NAME@RECORD` where a name was used again, or `last`")
      ->type_name("")
      ->required();
  CLI::Option* json = command->add_flag("--json", options->json, "Print one object");
  command
      ->add_option(
          "--html", options->html,
          "Write one page for a browser, with a picture; it needs nothing else and says all that is shown")
      ->type_name("FILE")
      ->excludes(json);
  command
      ->add_flag("--step", options->step,
                 "One entry at a time: n next, b back, a number, v next violation, d next denied, /TEXT, q")
      ->excludes("--json")
      ->excludes("--html");
  command
      ->add_flag("--check", options->check,
                 "Make every decision again from its record: 0 none differs, 1 some do; what cannot be made\n"
                 "again is UNKNOWN, and why")
      ->excludes("--step")
      ->excludes("--html");
  command
      ->add_option("--policy", options->policy,
                   "What would have been decided with this file in the place of its layer: exit 0, or 1 "
                   "where anything "
                   "would be loosened")
      ->type_name("FILE")
      ->excludes("--step")
      ->excludes("--html")
      ->excludes("--check");
  auto* serve =
      command->add_flag("--serve", options->serve,
                        "Answer as its server did, as an MCP server on stdin and stdout: no network, nothing "
                        "is run. Then\nMISSION may be a cassette, a file; exit 0 the same calls were made, 1 "
                        "others, which stderr says");
  serve->excludes("--policy")
      ->excludes("--step")
      ->excludes("--html")
      ->excludes("--json")
      ->excludes("--check");
  command
      ->add_option(
          "--match", options->match,
          "Which recorded call answers: `strict`, the next; `ordered`, the first unused with the same "
          "arguments; `arguments`, the same may be used again")
      ->check(CLI::IsMember({"strict", "ordered", "arguments"}).description(""))
      ->type_name("MODE")
      ->capture_default_str()
      ->needs(serve);
  add_filter(*command, *options, *since);
  command->callback([options, since, &exit] {
    if (!since->empty()) {
      const auto when = since_when(*since, base::wall_now());
      if (!when) {
        exit = fail({base::Code::invalid, "--since: " + when.error().message()});
        return;
      }
      options->filter.since = when->time_since_epoch().count();
    }
    exit = replay_mission(*options);
  });
}

}  // namespace proxy::commands
