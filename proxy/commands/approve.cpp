// callgate approve ID: allow a waiting call, once or, with a grant, for its mission.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "approvals/answer.hpp"
#include "approvals/grant.hpp"
#include "approvals/render.hpp"
#include "policy/grant.hpp"
#include "policy/rule/rule.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/commands.hpp"
#include "proxy/commands/grant_terms.hpp"
#include "proxy/commands/operator.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/commands/terminal.hpp"
#include "proxy/recorded/ask_again.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

struct Options {
  std::uint64_t id = 0;
  std::string reason;
  bool json = false;
  bool for_mission = false;
  bool yes = false;
  GrantWanted wanted;
};

bool runs_commands(const approvals::AskView& ask) {
  const auto& kinds = ask.decision.record.capability->effects;
  return std::find(kinds.begin(), kinds.end(), "run") != kinds.end();
}

void print(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::fprintf(stderr, "%s\n", line.c_str());
}

// What asks for the rule, where the rule does not say it all.
void show(const approvals::AskView& ask, const approvals::GrantTerms& terms, const policy::Rule& rule) {
  const approvals::RenderOptions options{.width = std::max(terminal_width(), approvals::width_min)};
  const bool call = terms.scope == approvals::GrantScope::call;
  if (call) print(approvals::full_text(ask, base::wall_now(), options, false));
  std::fprintf(stderr, "%s\n", granted_text(terms).c_str());
  if (!call) print(approvals::render(terms.rule, options).lines);
  if (!rule.condition.names_effects() && !call && runs_commands(ask))
    std::fprintf(
        stderr,
        "note: this tool runs commands: whatever it is given to run is allowed, where no rule denies it\n");
}

// A grant that says nothing of the call in hand is a slip.
base::Result<void> check_covers(const Surroundings& here, const approvals::AskView& ask,
                                const std::string& text) {
  const auto reader = ledger::Reader::open({here.state_folder});
  if (!reader) return reader.error();
  const auto again = AskAgain::read(**reader, here, ask.decision);
  if (!again)
    return base::Error(base::Code::refused, "`--rule` cannot be held against the call, since " +
                                                again.error().message() + ": `--scope call`");
  const auto rule = grant_rule(text, again->anchors());
  if (!rule) return rule.error();
  const std::vector<std::string> left = again->not_covered(*rule);
  if (left.empty()) return {};
  std::string names;
  for (const std::string& each : left) names += (names.empty() ? "" : ", ") + base::quoted(each, 300);
  return base::Error(base::Code::refused,
                     "the rule does not cover what waits: " + names + "; nothing was granted");
}

base::Result<ledger::Draft> make(const Options& options, const Surroundings& here,
                                 const approvals::AskView& ask, const base::SigningKey& key) {
  const auto terms = grant_terms(ask, options.wanted, base::wall_now());
  if (!terms) return terms.error();
  const auto rule = grant_rule(terms->rule, {here.workspace, here.home});
  if (!rule) return rule.error();
  if (terms->scope == approvals::GrantScope::rule)
    if (const auto covers = check_covers(here, ask, terms->rule); !covers) return covers.error();
  show(ask, *terms, *rule);
  const auto meant = confirmed("give this grant?", options.yes);
  if (!meant || !*meant)
    return base::Error(base::Code::refused, meant ? "nothing was granted, and the call still waits"
                                                  : "`--yes` gives this grant; the call still waits");
  return approvals::make_grant(ask.decision, *terms, key, base::random_bytes(16));
}

int approve(Options& options) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error(), exit_failed);
  if (!options.for_mission && options.wanted.given()) {
    complain("`--scope`, `--rule` and `--expires` say what is granted: they go with `--for-mission`");
    return exit_usage;
  }
  options.wanted.reason = options.reason;
  MakeGrant grant;
  if (options.for_mission)
    grant = [&](const approvals::AskView& ask, const base::SigningKey& key) {
      return make(options, *here, ask, key);
    };
  const auto answered = answer_ask(*here, options.id, approvals::Verdict::allow, options.reason, grant);
  if (!answered)
    return options.for_mission && answered.error().code() == base::Code::invalid
               ? fail(answered.error(), exit_usage)
               : fail(answered.error(), exit_failed);
  print_answered(*answered, approvals::Verdict::allow, options.json);
  if (!answered->note.empty()) complain(answered->note);
  return 0;
}

}  // namespace

void add_approve(CLI::App& app, int& exit) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("approve",
                         "Allow a waiting call, once or for its mission.\n"
                         "Example: callgate approve 17 --reason \"as agreed\"\n"
                         "Example: callgate approve 17 --for-mission --scope effects --expires 2h");
  command->add_option("ID", options->id, "Number of the approval, from `callgate pending`")
      ->type_name("")
      ->required();
  command->add_option("--reason", options->reason, "Why; goes on record")->type_name("TEXT");
  command->add_flag("--for-mission", options->for_mission,
                    "Grant it, too: asks like it are allowed beforehand until the mission ends");
  command
      ->add_option("--scope", options->wanted.scope,
                   "What is granted: `call`, this very call (default); `effects`, what it asks for, in "
                   "whichever call of this server; `tool`, the tool, whatever its arguments")
      ->type_name("SCOPE");
  command
      ->add_option("--rule", options->wanted.rule,
                   "Or by a rule of your own, in the keys of an allow rule: 'write = [\"docs/**\"]'")
      ->type_name("TOML");
  command
      ->add_option("--expires", options->wanted.expires,
                   "When the grant ends: `30m`, `2h`; at most, and by default, 24h")
      ->type_name("DURATION");
  command->add_flag("--yes", options->yes, "Give the grant without being asked once more");
  command->add_flag("--json", options->json, "Print the answered approval as JSON");
  command->callback([options, &exit] { exit = approve(*options); });
}

}  // namespace proxy::commands
