// callgate run: the stdio endpoint in front of one server; what the agent's MCP configuration starts.

#include "proxy/run.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "proxy/commands/commands.hpp"
#include "proxy/commands/report.hpp"

namespace proxy::commands {

void add_run(CLI::App& app, std::vector<std::string> command, int& exit) {
  auto options = std::make_shared<RunOptions>();
  options->command = std::move(command);
  CLI::App* run_command = app.add_subcommand(
      "run",
      "Stand between an agent and one server: callgate run [OPTIONS] -- COMMAND [ARGUMENT…]\n"
      "Example: callgate run --name files -- npx -y @modelcontextprotocol/server-filesystem .");
  run_command
      ->add_option("--name", options->name,
                   "The server's name in rules and records (default: from its command)")
      ->type_name("NAME");
  run_command->add_option("--policy", options->policy, "A policy file for this run, beside the other layers")
      ->type_name("FILE");
  run_command
      ->add_option("--mission", options->mission,
                   "Join a mission that the operator created (`callgate mission start`)")
      ->type_name("NAME");
  run_command->add_option("--workspace", options->workspace, "Workspace (default: the git top level)")
      ->type_name("FOLDER");
  run_command
      ->add_option("--env", options->environment,
                   "Pass NAME on to the server, or set NAME=VALUE; any number of times")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  run_command->callback([options, &exit] {
    if (options->command.empty()) {
      complain("no server command: write it behind `--`, as in `callgate run -- node server.js`");
      exit = exit_usage;
      return;
    }
    const auto ended = run(*options);
    exit = ended ? *ended : fail(ended.error());
  });
}

}  // namespace proxy::commands
