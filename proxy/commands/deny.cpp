// callgate deny ID: refuse a waiting call.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "approvals/answer.hpp"
#include "proxy/commands/commands.hpp"
#include "proxy/commands/operator.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

struct Options {
  std::uint64_t id = 0;
  std::string reason;
  bool json = false;
};

int deny(const Options& options) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error(), exit_failed);
  const auto answered = answer_ask(*here, options.id, approvals::Verdict::deny, options.reason);
  if (!answered) return fail(answered.error(), exit_failed);
  print_answered(*answered, approvals::Verdict::deny, options.json);
  return 0;
}

}  // namespace

void add_deny(CLI::App& app, int& exit) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "deny", "Refuse a waiting call.\nExample: callgate deny 17 --reason \"use the test database\"");
  command->add_option("ID", options->id, "Number of the approval, from `callgate pending`")
      ->type_name("")
      ->required();
  command->add_option("--reason", options->reason, "Why; goes on record and to the agent")->type_name("TEXT");
  command->add_flag("--json", options->json, "Print the answered approval as JSON");
  command->callback([options, &exit] { exit = deny(*options); });
}

}  // namespace proxy::commands
