// callgate ledger list|show|verify|adopt: reading the ledger, and taking up what is left of one.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "proxy/base/clock.hpp"
#include "proxy/base/text.hpp"
#include "proxy/base/utf8.hpp"
#include "proxy/commands/commands.hpp"
#include "proxy/commands/ledger_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

template <class Act>
int with_place(int otherwise, const Act& act) {
  const auto here = find_surroundings();
  return here ? act(ledger::Place{here->state_folder}) : fail(here.error(), otherwise);
}

void add_list(CLI::App& ledger, int& exit) {
  auto options = std::make_shared<LedgerList>();
  CLI::App* command = ledger.add_subcommand("list",
                                            "List the newest calls: what was asked, decided and came of "
                                            "it.\nExample: callgate ledger list --limit 10");
  command->add_option("--mission", options->mission, "Only calls of this mission")->type_name("ID");
  command->add_option("--limit", options->limit, "At most this many, up to a million")
      ->check(CLI::Range(1, 1000000).description(""))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print a list of objects");
  command->add_flag("--records", options->records,
                    "Every kind of record as it is stored, one a line, oldest first");
  command->add_option("--server", options->server, "Only calls of this server")->type_name("NAME");
  command->add_option("--decision", options->decision, "Only calls decided so")
      ->check(CLI::IsMember({"ALLOW", "ASK", "DENY"}, CLI::ignore_case).description(""))
      ->type_name("ALLOW|ASK|DENY");
  auto since = std::make_shared<std::string>();
  command
      ->add_option("--since", *since,
                   "Only calls since then: so long ago (10m, 2h, 1d), or a UTC time or day (2026-11-29)")
      ->type_name("WHEN");
  command->callback([options, since, &exit] {
    if (!since->empty()) {
      const auto when = since_when(*since, base::wall_now());
      if (!when) {
        exit = fail({base::Code::invalid, "--since: " + when.error().message()});
        return;
      }
      options->since = *when;
    }
    exit = with_place(exit_usage, [&](const ledger::Place& place) {
      return options->records ? list_records(place, *options) : list_ledger(place, *options);
    });
  });
}

void add_show(CLI::App& ledger, int& exit) {
  auto options = std::make_shared<LedgerShow>();
  CLI::App* command = ledger.add_subcommand(
      "show",
      "Show one record whole, with its payloads (redacted as stored), and likewise the records that answer "
      "it.\n"
      "Example: callgate ledger show last");
  command
      ->add_option("SEQUENCE", options->sequence, "Number of the record, or `last`: the last call's decision")
      ->type_name("")
      ->required();
  command->add_flag("--json", options->json, "Print one object");
  command->callback([options, &exit] {
    exit = with_place(exit_usage, [&](const ledger::Place& place) { return show_ledger(place, *options); });
  });
}

void add_verify(CLI::App& ledger, int& exit) {
  using Level = ledger::Report::Level;
  auto options = std::make_shared<LedgerVerify>();
  CLI::App* command = ledger.add_subcommand(
      "verify",
      "Check every record, payload, checkpoint and derived row, and say what that proves.\n"
      "Exits with 0 (nothing speaks against it), 1 (other findings, or no ledger yet), 2 (usage), 3 (records "
      "are "
      "lost),\n4 (cannot be read), 5 (less is proven than --require), 6 (bytes were altered), 7 (the chain "
      "is "
      "broken),\n8 (something is gone without a purge), 9 (a signed head says otherwise), 10 (records are "
      "lost, and "
      "the\nwrite-ahead log is damaged).\n"
      "Example: callgate ledger verify --require signed");
  command->add_flag("--json", options->json, "Print one object");
  command->add_flag("--offline", options->offline, "Do not read what the anchors hold");
  command
      ->add_option("--key", options->key,
                   "Verifier key of the ledger's first checkpoints, in place of those known here")
      ->type_name("KEY");
  command->add_option("--require", options->required, "Fail where less is proven")
      ->transform(CLI::CheckedTransformer(
                      std::map<std::string, Level>{{"signed", Level::signed_}, {"anchored", Level::anchored}})
                      .description(""))
      ->type_name("signed|anchored");
  command->callback([options, &exit] { exit = verify_ledger(*options); });
}

void add_key(CLI::App& ledger, int& exit) {
  auto options = std::make_shared<LedgerKey>();
  CLI::App* command =
      ledger.add_subcommand("key",
                            "Show the verifier key of the ledger's first checkpoints, which `verify --key` "
                            "takes on another machine; or put "
                            "another key in the place of the one that signs now, which is gone then.\n"
                            "Example: callgate ledger key --rotate");
  command->add_flag("--rotate", options->rotate, "Sign with a new key from here on");
  command->callback([options, &exit] { exit = ledger_key(*options); });
}

void add_adopt(CLI::App& ledger, int& exit) {
  auto yes = std::make_shared<bool>(false);
  CLI::App* command = ledger.add_subcommand(
      "adopt",
      "After records were lost: go on with what is left. The loss itself is put on record.\n"
      "Example: callgate ledger adopt --yes");
  command->add_flag("--yes", *yes, "Do it; without it only says what would be done");
  command->callback([yes, &exit] { exit = adopt_loss(*yes); });
}

}  // namespace

std::string json_of(const std::string& bytes) {
  const nlohmann::json value =
      base::utf8::valid(bytes) ? nlohmann::json(bytes) : nlohmann::json{{"base64", base::base64(bytes)}};
  return value.dump();
}

void add_ledger(CLI::App& app, int& exit) {
  CLI::App* ledger =
      app.add_subcommand("ledger",
                         "Read the ledger: list, show, verify, export; its key; what is kept and what "
                         "goes; adopt a loss.\nExample: callgate ledger list");
  ledger->require_subcommand(1);
  add_list(*ledger, exit);
  add_show(*ledger, exit);
  add_verify(*ledger, exit);
  add_ledger_export(*ledger, exit);
  add_key(*ledger, exit);
  add_ledger_hold(*ledger, exit);
  add_ledger_prune(*ledger, exit);
  add_adopt(*ledger, exit);
}

}  // namespace proxy::commands
