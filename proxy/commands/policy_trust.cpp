// callgate policy trust: the operator trusts the repository's policy as it stands now, on record and signed.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "approvals/operator_key.hpp"
#include "approvals/trust.hpp"
#include "policy/layers.hpp"
#include "policy/load.hpp"
#include "policy/policy.hpp"
#include "policy/show_rules.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/policy.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/mission.hpp"
#include "proxy/open_ledger.hpp"
#include "proxy/surroundings.hpp"
#include "proxy/trust.hpp"

namespace proxy::commands {
namespace {

int trust(const std::string& workspace, bool withdraw) {
  const auto here = find_surroundings(workspace);
  if (!here) return fail(here.error());
  const std::string file = policy::repository_file(here->workspace);
  const auto bytes = base::read_file(file, policy::policy_bytes_max);
  if (!bytes) return fail(bytes.error());
  // A policy that does not load cannot be meant.
  const auto rules = policy::compile_sources({{policy::Layer::repository, file, *bytes, true}},
                                             {here->workspace, here->home});
  if (!rules) return fail(rules.error());
  const std::string shown = base::printable(file, 4096);
  if ((trusted_bytes(*here) == base::sha256(*bytes)) != withdraw) {
    std::printf("%s %s as it stands; nothing was recorded\n", withdraw ? "does not trust" : "already trusts",
                shown.c_str());
    return 0;
  }
  if (!withdraw) std::fputs(policy::show_rules(*rules).c_str(), stdout);
  const auto writer = open_ledger(*here);
  if (!writer) return fail(writer.error());
  const auto key = approvals::load_key(here->state_folder);
  if (!key) return fail(key.error());
  const auto written = (*writer)->append_now(
      approvals::make_trust((*writer)->ledger_id(), workspace_digest(here->workspace), *bytes,
                            withdraw ? approvals::Trust::withdraw : approvals::Trust::give, *key));
  if (!written) return fail(written.error());
  std::printf("%s %s (record %llu)\n", withdraw ? "no longer trusts" : "trusts", shown.c_str(),
              static_cast<unsigned long long>(written->records.front().sequence));
  return 0;
}

}  // namespace

void add_policy_trust(CLI::App& policy, int& exit) {
  struct Options {
    std::string workspace;
    bool withdraw = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = policy.add_subcommand(
      "trust",
      "Let the allows of this repository's .callgate/policy.toml count, as it stands now.\n"
      "Example: callgate policy trust");
  command->add_option("--workspace", options->workspace, "Workspace (default: the git top level)");
  command->add_flag("--withdraw", options->withdraw, "Take the trust back");
  command->callback([options, &exit] { exit = trust(options->workspace, options->withdraw); });
}

}  // namespace proxy::commands
