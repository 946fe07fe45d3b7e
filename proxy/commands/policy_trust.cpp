// callgate policy trust, accept: the operator's word for the repository's policy, and for a change of policy
// files that lets more pass, on record and signed.

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
#include "proxy/base/ed25519.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/policy.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/load_policy.hpp"
#include "proxy/mission.hpp"
#include "proxy/open_ledger.hpp"
#include "proxy/policy_updates.hpp"
#include "proxy/surroundings.hpp"
#include "proxy/trust.hpp"

namespace proxy::commands {
namespace {

int say(const char* what, const std::string& file, const char* more) {
  std::printf("%s %s%s\n", what, base::printable(file, 4096).c_str(), more);
  return 0;
}

// Opens the ledger, has `make` sign an append with its id and the operator's key, and appends it.
template <class Make>
int append_signed(const Surroundings& here, const char* what, const std::string& file, Make make) {
  const auto writer = open_ledger(here);
  if (!writer) return fail(writer.error());
  const auto key = approvals::load_key(here.state_folder);
  if (!key) return fail(key.error());
  const auto written = (*writer)->append_now(make((*writer)->ledger_id(), *key));
  if (!written) return fail(written.error());
  const std::string number = std::to_string(written->records.front().sequence);
  return say(what, file, (" (record " + number + ")").c_str());
}

int trust(const Surroundings& here, const std::string& file) {
  const auto there = policy::read_repository(here.workspace);
  if (!there) return fail(there.error());
  if (!*there) return fail(base::Error(base::Code::not_found, "there is no file " + base::quoted(file)));
  const std::string& bytes = **there;
  // A policy that does not load cannot be meant.
  const auto rules =
      policy::compile_sources({{policy::Layer::repository, file, bytes, true}}, {here.workspace, here.home});
  if (!rules) return fail(rules.error());
  const auto trusted = trusted_digest(here);
  if (!trusted) return fail(trusted.error());
  if (*trusted == base::sha256(bytes))
    return say("already trusts", file, " as it stands; nothing was recorded");
  std::fputs(policy::show_rules(*rules).c_str(), stdout);
  return append_signed(here, "trusts", file, [&](const std::string& ledger, const base::SigningKey& key) {
    return approvals::make_trust(ledger, workspace_digest(here.workspace), bytes, key);
  });
}

// Needs no file: it may have changed since, or be gone.
int withdraw(const Surroundings& here, const std::string& file) {
  const auto trusted = trusted_digest(here);
  if (!trusted) return fail(trusted.error());
  if (!*trusted) return say("does not trust", file, "; nothing was recorded");
  return append_signed(
      here, "no longer trusts", file, [&](const std::string& ledger, const base::SigningKey& key) {
        return approvals::make_withdrawal(ledger, workspace_digest(here.workspace), **trusted, key);
      });
}

// Sessions under way judge by it from their next call on.
int accept(const std::string& workspace, const std::string& file) {
  const auto here = find_surroundings(workspace);
  if (!here) return fail(here.error());
  const auto policy = load_policy(*here, file, trusted_on_record(*here));
  if (!policy) return fail(policy.error());
  if (const std::string notice = trust_notice(*here, policy->sources()); !notice.empty())
    return fail(base::Error(base::Code::refused, notice));
  std::fputs(policy::show_rules(policy->rules()).c_str(), stdout);
  return append_signed(*here, "accepts the policy of", here->workspace,
                       [&](const std::string& ledger, const base::SigningKey& key) {
                         return approvals::make_trust(ledger, acceptance_of(here->workspace),
                                                      statement_of(*policy), key);
                       });
}

int trust_or_withdraw(const std::string& workspace, bool withdrawn) {
  const auto here = find_surroundings(workspace);
  if (!here) return fail(here.error());
  const std::string file = policy::repository_file(here->workspace);
  return withdrawn ? withdraw(*here, file) : trust(*here, file);
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
  command->add_option("--workspace", options->workspace, "Workspace (default: the git top level)")
      ->type_name("FOLDER");
  command->add_flag("--withdraw", options->withdraw, "Take the trust back, whatever the file holds by now");
  command->callback([options, &exit] { exit = trust_or_withdraw(options->workspace, options->withdraw); });
}

void add_policy_accept(CLI::App& policy, int& exit) {
  struct Options {
    std::string workspace;
    std::string policy;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = policy.add_subcommand("accept",
                                            "Let sessions under way judge by the policy files as they stand "
                                            "now, where these let more pass than before.\n"
                                            "Example: callgate policy accept");
  command->add_option("--workspace", options->workspace, "Workspace (default: the git top level)")
      ->type_name("FOLDER");
  command->add_option("--policy", options->policy, "The file that `run --policy` was given")
      ->type_name("FILE");
  command->callback([options, &exit] { exit = accept(options->workspace, options->policy); });
}

}  // namespace proxy::commands
