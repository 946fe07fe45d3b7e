// callgate policy trust, accept: the operator's word for the repository's policy, and for a change of policy
// files that lets more pass, on record and signed.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "approvals/operator_key.hpp"
#include "approvals/trust.hpp"
#include "ledger/reader.hpp"
#include "policy/load/layers.hpp"
#include "policy/load/load.hpp"
#include "policy/policy.hpp"
#include "policy/review/narrows.hpp"
#include "policy/review/show_rules.hpp"
#include "policy/rule/rule.hpp"
#include "proxy/base/ed25519.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/operator.hpp"
#include "proxy/commands/policy.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/mission/acceptance.hpp"
#include "proxy/mission/in_force.hpp"
#include "proxy/mission/mission.hpp"
#include "proxy/mission/next_policy.hpp"
#include "proxy/mission/sessions_under_way.hpp"
#include "proxy/setup/load_policy.hpp"
#include "proxy/setup/open_ledger.hpp"
#include "proxy/setup/surroundings.hpp"
#include "proxy/setup/trust.hpp"

namespace proxy::commands {
namespace {

int say(const char* what, const std::string& file, const char* more) {
  std::printf("%s %s%s\n", what, base::printable(file, base::path_shown_bytes_max).c_str(), more);
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

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void show_changes(const policy::CompiledRules& before, const policy::CompiledRules& after,
                  const char* since) {
  const policy::ShownChanges changes = policy::show_changes(before, after);
  if (changes.text.empty())
    std::printf("no rule has changed since %s, only words, examples or what is said of programs\n", since);
  else
    std::printf("what has changed since %s (%s as before):\n%s", since,
                counted(changes.kept, "statement").c_str(), changes.text.c_str());
}

// What is given, after all of it was shown.
template <class Make>
int give(const Surroundings& here, const char* question, const char* what, const std::string& file, bool yes,
         Make make) {
  const auto meant = confirmed(question, yes);
  if (!meant) return fail(meant.error());
  if (!*meant) {
    std::puts("nothing was recorded");
    return exit_failed;
  }
  return append_signed(here, what, file, make);
}

using Compiled = base::Result<policy::CompiledRules>;

Compiled compile(const Surroundings& here, const std::string& file, const std::string& bytes) {
  return policy::compile_sources({{policy::Layer::repository, file, bytes, true}},
                                 {here.workspace, here.home});
}

int trust(const Surroundings& here, const std::string& file, bool yes) {
  const auto there = policy::read_repository(here.workspace);
  if (!there) return fail(there.error());
  if (!*there) return fail(base::Error(base::Code::not_found, "there is no file " + base::quoted(file)));
  const std::string& bytes = **there;
  // A policy that does not load cannot be meant.
  const auto rules = compile(here, file, bytes);
  if (!rules) return fail(rules.error());
  const auto before = trusted_file(here, workspace_digest(here.workspace));
  if (!before) return fail(before.error());
  if (*before && !(*before)->trust.ended && (*before)->trust.policy == base::sha256(bytes))
    return say("already trusts", file, " as it stands; nothing was recorded");
  const Compiled was =
      *before && (*before)->bytes ? compile(here, file, *(*before)->bytes) : Compiled(base::Error());
  if (was)
    show_changes(*was, *rules, "you last trusted it");
  else
    std::fputs(policy::show_rules(*rules).c_str(), stdout);
  return give(here, "Trust this file as it stands?", "trusts", file, yes,
              [&](const std::string& ledger, const base::SigningKey& key) {
                return approvals::make_trust(ledger, workspace_digest(here.workspace), bytes, key);
              });
}

// Needs no file: it may have changed since, or be gone.
int withdraw(const Surroundings& here, const std::string& file) {
  const auto trust = trust_on_record(here, workspace_digest(here.workspace));
  if (!trust) return fail(trust.error());
  if (!*trust) return say("does not trust", file, "; nothing was recorded");
  return append_signed(
      here, "no longer trusts", file, [&](const std::string& ledger, const base::SigningKey& key) {
        return approvals::make_withdrawal(ledger, workspace_digest(here.workspace), (*trust)->policy, key);
      });
}

// A session under way, and the files as it would judge by them.
struct Waiting {
  InForce session;
  policy::Policy next;
};

bool has_own_file(const policy::Policy& policy) {
  return std::any_of(policy.sources().begin(), policy.sources().end(),
                     [](const policy::Source& each) { return each.layer == policy::Layer::mission; });
}

// One that does not go over to the files as they stand by itself; nothing: none has to be told.
base::Result<std::optional<Waiting>> held_back(const Surroundings& here, const std::string& file,
                                               const policy::Policy& at_start) {
  const auto reader = ledger::Reader::open({here.state_folder});
  if (!reader && reader.error().code() == base::Code::not_found) return std::optional<Waiting>();
  if (!reader) return reader.error();
  auto all = policies_in_force(**reader, here, built_in_here(at_start));
  if (!all) return all.error();
  for (InForce& each : *all) {
    const bool own = has_own_file(each.policy);
    auto next = next_policy(here, own ? file : std::string(), each.policy);
    if (!next) return next.error();
    if (own && file.empty())
      return base::Error(base::Code::refused,
                         "a session under way was started with `--policy " +
                             base::printable(each.policy.sources().back().file, base::path_shown_bytes_max) +
                             "`: name that file here, too");
    if (next->withdrawn ||
        policy::only_narrows(each.policy.sources(), next->policy.sources(), at_start.rules().anchors))
      continue;
    return Waiting{std::move(each), std::move(next->policy)};
  }
  return std::optional<Waiting>();
}

// Why nothing can be accepted yet.
base::Error trust_first(const Surroundings& here, const Waiting& waiting) {
  const policy::Source& repository = *repository_of(waiting.next.sources());
  return base::Error(
      base::Code::refused,
      "nothing was accepted: " + base::quoted(repository.file, base::path_shown_bytes_max) + " " +
          why_untrusted(here, repository.bytes) +
          ", so none of its allow rules would hold; sessions under way judge as before (changed: " +
          changed_files(waiting.session.policy, waiting.next) +
          "). Run `callgate policy trust` first, which lets that file hold as it stands; then, if others "
          "wait, too, `callgate policy accept`");
}

// Sessions under way judge by it from their next call on.
int accept(const std::string& workspace, const std::string& file, bool yes) {
  const auto here = find_workspace(workspace);
  if (!here) return fail(here.error());
  const auto policy = load_policy(*here, file, trusted_on_record(*here));
  if (!policy) return fail(policy.error());
  const auto waiting = held_back(*here, file, *policy);
  if (!waiting) return fail(waiting.error());
  const std::string notice = trust_notice(*here, *waiting ? (*waiting)->next.sources() : policy->sources());
  if (!*waiting) {
    const auto sessions = sessions_under_way(*here, file, *policy);
    if (!sessions) return fail(sessions.error());
    const std::string counts = *sessions ? notice_of(*here, **sessions, *policy) : notice;
    if (!counts.empty()) complain(counts);
    return say("there is nothing to accept: no session in", here->workspace,
               " judges by less than the files allow as they stand");
  }
  const policy::Policy& before = (*waiting)->session.policy;
  const policy::Policy& next = (*waiting)->next;
  if (!notice.empty() && trust_comes_first(before, next)) return fail(trust_first(*here, **waiting));
  const auto parts = not_accepted(parts_of(before, here->workspace), parts_of(next, here->workspace),
                                  (*waiting)->session.record,
                                  [&](const base::Digest& place) { return trust_on_record(*here, place); });
  if (!parts) return fail(parts.error());
  if (parts->empty())
    return say("already accepts the policy of", here->workspace, " as it stands; nothing was recorded");
  show_changes(before.rules(), next.rules(), "the sessions under way took it up");
  if (!notice.empty()) complain(notice + "; what is accepted here does not change that");
  return give(*here, "Let sessions under way judge by this?", "accepts the policy of", here->workspace, yes,
              [&](const std::string& ledger, const base::SigningKey& key) {
                ledger::Append words;
                for (const PolicyPart& part : *parts)
                  words.drafts.push_back(std::move(
                      approvals::make_trust(ledger, part.place, part.statement, key).drafts.front()));
                return words;
              });
}

int trust_or_withdraw(const std::string& workspace, bool withdrawn, bool yes) {
  const auto here = find_workspace(workspace);
  if (!here) return fail(here.error());
  const std::string file = policy::repository_file(here->workspace);
  return withdrawn ? withdraw(*here, file) : trust(*here, file, yes);
}

}  // namespace

void add_policy_trust(CLI::App& policy, int& exit) {
  struct Options {
    std::string workspace;
    bool withdraw = false;
    bool yes = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = policy.add_subcommand(
      "trust",
      "Let the allows of this repository's .callgate/policy.toml count, as it stands now. Shows what has "
      "changed "
      "since\nyou last did, and asks.\n"
      "Exit 0 trusted, or it was already; 1 not confirmed, or not recorded; 2 usage or policy error.\n"
      "Example: callgate policy trust");
  command->add_option("--workspace", options->workspace, "Workspace (default: the git top level)")
      ->type_name("FOLDER");
  command->add_flag("--withdraw", options->withdraw, "Take the trust back, whatever the file holds by now");
  command->add_flag("--yes", options->yes, "Do not ask: you have read it");
  command->callback(
      [options, &exit] { exit = trust_or_withdraw(options->workspace, options->withdraw, options->yes); });
}

void add_policy_accept(CLI::App& policy, int& exit) {
  struct Options {
    std::string workspace;
    std::string policy;
    bool yes = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      policy.add_subcommand("accept",
                            "Let sessions under way judge by the policy files as they stand "
                            "now, where these let more pass than before. Shows what has "
                            "changed, and asks.\n"
                            "Exit 0 accepted, or there is nothing to accept; 1 not confirmed, "
                            "or not recorded; 2 usage or policy error.\n"
                            "Example: callgate policy accept");
  command->add_option("--workspace", options->workspace, "Workspace (default: the git top level)")
      ->type_name("FOLDER");
  command->add_option("--policy", options->policy, "The file that `run --policy` was given")
      ->type_name("FILE");
  command->add_flag("--yes", options->yes, "Do not ask: you have read it");
  command->callback([options, &exit] { exit = accept(options->workspace, options->policy, options->yes); });
}

}  // namespace proxy::commands
