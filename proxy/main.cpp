// The program: builds the command line, runs one command, maps its end to an exit code.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "proxy/commands/commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/commands/usage.hpp"
#include "proxy/setup/version.hpp"

namespace {

// What stands behind the first `--` is a server's command: CLI11 must not see it (it rewrites words like
// `[a,b]`).
std::vector<std::string> split_command(std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] != "--") continue;
    const auto at = arguments.begin() + static_cast<std::ptrdiff_t>(i);
    std::vector<std::string> command(at + 1, arguments.end());
    arguments.erase(at, arguments.end());
    return command;
  }
  return {};
}

bool takes_a_command(const std::vector<std::string>& arguments) {
  return arguments.front() == "run" ||
         (arguments.size() > 1 && arguments[0] == "policy" && arguments[1] == "explain");
}

int run(std::vector<std::string> arguments) {
  std::vector<std::string> command = split_command(arguments);
  if (!command.empty() && !arguments.empty() && !takes_a_command(arguments)) {
    proxy::commands::complain(
        "a server's command behind `--` is for `callgate run` and `callgate policy explain` alone");
    return proxy::commands::exit_usage;
  }
  CLI::App app{
      "callgate stands between a coding agent and its MCP servers: every call is decided, held for a person "
      "where\n"
      "the policy says so, and on record.\n\nExample: callgate run -- npx -y "
      "@modelcontextprotocol/server-filesystem .",
      "callgate"};
  int exit = proxy::commands::exit_usage;
  app.set_version_flag("--version", proxy::version);
  app.require_subcommand(1);
  proxy::commands::add_run(app, command, exit);
  proxy::commands::add_pending(app, exit);
  proxy::commands::add_approve(app, exit);
  proxy::commands::add_deny(app, exit);
  proxy::commands::add_grants(app, exit);
  proxy::commands::add_console(app, exit);
  proxy::commands::add_init(app, exit);
  proxy::commands::add_mission(app, exit);
  proxy::commands::add_policy(app, std::move(command), exit);
  proxy::commands::add_ledger(app, exit);
  proxy::commands::add_replay(app, exit);
  proxy::commands::add_diff(app, exit);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(arguments);
    return exit;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // prints the help or the version
    proxy::commands::complain(proxy::commands::usage_error(app, error));
    return proxy::commands::exit_usage;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "callgate: %s\n", error.what());
    return 1;
  }
}
