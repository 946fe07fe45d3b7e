#include "proxy/commands/policy.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <utility>

#include "proxy/commands/commands.hpp"

namespace proxy::commands {

void add_policy(CLI::App& app, std::vector<std::string> command, int& exit) {
  CLI::App* policy = app.add_subcommand(
      "policy", "Check, explain, test and trust policies; what they were and would have been");
  policy->require_subcommand(1);
  add_policy_check(*policy, exit);
  add_policy_explain(*policy, std::move(command), exit);
  add_policy_diff(*policy, exit);
  add_policy_log(*policy, exit);
  add_policy_suggest(*policy, exit);
  add_policy_test(*policy, exit);
  add_policy_trust(*policy, exit);
  add_policy_accept(*policy, exit);
}

}  // namespace proxy::commands
