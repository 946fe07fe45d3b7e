#include "proxy/commands/operator.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <chrono>
#include <cstdio>
#include <utility>

#include "approvals/operator_key.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"
#include "proxy/base/utf8.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/surroundings.hpp"

namespace proxy::commands {
namespace {

using approvals::Verdict;

base::Error unknown(std::uint64_t id) {
  return base::Error(base::Code::not_found,
                     "there is no approval " + std::to_string(id) + " (see `callgate pending`)");
}

// Why an ask cannot be answered, when it cannot.
base::Error over(const ledger::Reader& reader, std::uint64_t id, const ledger::Ask* ask, base::WallTime now) {
  const auto decision = reader.record(id);
  if (!decision) return decision.error();
  if (!*decision || (*decision)->record.type != ledger::Type::decision ||
      (*decision)->record.decision != "ASK")
    return unknown(id);
  const std::string name = "approval " + std::to_string(id) + " ";
  if (const std::string joins = (*decision)->record.detail("joins"); !joins.empty())
    return base::Error(base::Code::conflict,
                       name + "waits for approval " + base::quoted(joins) + ": answer that one");
  if (const auto end = approvals::end_of(reader, **decision))
    return base::Error(base::Code::conflict, name + *end);
  if (ask != nullptr && ask->expires <= now.time_since_epoch().count())
    return base::Error(
        base::Code::conflict,
        name + "expired at " + base::utc_text(base::WallTime(std::chrono::nanoseconds(ask->expires))));
  return base::Error(base::Code::conflict, name + "cannot be answered any more");
}

base::Result<base::SigningKey> matching_key(const std::string& state_folder, const ledger::Fold& fold) {
  auto key = approvals::load_key(state_folder);
  if (!key) return key.error();
  if (fold.operator_key() != approvals::public_text(*key))
    return base::Error(base::Code::refused, "the operator key in " + base::quoted(state_folder + "/keys") +
                                                " is not the one that this ledger was made with");
  return key;
}

bool answerable(const ledger::Ask* ask, base::WallTime now) {
  return ask != nullptr &&
         (ask->state == ledger::AskState::open || ask->state == ledger::AskState::detached) &&
         ask->expires > now.time_since_epoch().count();
}

int run_answer(std::uint64_t id, Verdict verdict, const std::string& reason, bool json) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error(), exit_failed);
  const auto answered = answer_ask(here->state_folder, id, verdict, reason);
  if (!answered) return fail(answered.error(), exit_failed);
  if (json) {
    base::json::Value object = approvals::to_json(answered->ask);
    object["answer"] = approvals::name(verdict);
    object["record"] = answered->record;
    std::printf("%s\n", approvals::json_text(object).c_str());
    return 0;
  }
  std::string usable;  // one that is held passes at once
  if (answered->ask.detached && verdict == Verdict::allow)
    usable = "; usable for " + std::to_string(approvals::usable_for.count()) +
             " minutes, when the agent repeats it";
  std::printf("%s %s%s\n", verdict == Verdict::allow ? "allowed once:" : "denied:",
              approvals::answered_line(answered->ask).c_str(), usable.c_str());
  return 0;
}

}  // namespace

base::Result<std::vector<approvals::AskView>> read_waiting(const ledger::Place& place,
                                                           const std::vector<approvals::AskView>& known) {
  const auto reader = ledger::Reader::open(place);
  if (reader) return approvals::waiting_views(**reader, base::wall_now(), known);
  if (reader.error().code() == base::Code::not_found) return std::vector<approvals::AskView>();
  return reader.error();
}

base::Result<Answered> answer_ask(const std::string& state_folder, std::uint64_t id, Verdict verdict,
                                  const std::string& reason) {
  if (reason.size() > approvals::rationale_bytes_max || !base::utf8::valid(reason))
    return base::Error(base::Code::invalid, "a reason is UTF-8 text of at most " +
                                                std::to_string(approvals::rationale_bytes_max) + " bytes");
  const ledger::Place place{state_folder};
  const auto reader = ledger::Reader::open(place);
  if (!reader) return reader.error().code() == base::Code::not_found ? unknown(id) : reader.error();
  const auto fold = (*reader)->state();
  if (!fold) return fold.error();
  const ledger::Ask* ask = fold->ask(id);
  if (!answerable(ask, base::wall_now())) return over(**reader, id, ask, base::wall_now());
  auto view = approvals::view_of(**reader, *ask);
  if (!view) return view.error();
  const auto key = matching_key(state_folder, *fold);
  if (!key) return key.error();

  ledger::WriterOptions options;  // the ledger exists: nobody asks for a key to make one with
  options.operator_key = [&]() -> base::Result<std::string> { return approvals::public_text(*key); };
  const auto writer = ledger::Writer::open(place, options);
  if (!writer) return writer.error();
  const auto written =
      (*writer)->append_now(approvals::make_answer(view->decision.record, view->decision.leaf, verdict,
                                                   reason, base::wall_now(), *key, base::random_bytes(16)));
  if (!written) {
    if (written.error().code() != base::Code::conflict) return written.error();
    const auto now = (*reader)->state();  // somebody was first
    if (!now) return written.error();
    return over(**reader, id, now->ask(id), base::wall_now());
  }
  return Answered{std::move(*view), written->records.front().sequence};
}

void add_answer_command(CLI::App& app, Verdict verdict, int& exit) {
  struct Options {
    std::uint64_t id = 0;
    std::string reason;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  const bool allow = verdict == Verdict::allow;
  CLI::App* command = app.add_subcommand(
      allow ? "approve" : "deny",
      allow ? "Allow a waiting call, once.\nExample: callgate approve 17 --reason \"as agreed\""
            : "Refuse a waiting call.\nExample: callgate deny 17 --reason \"use the test database\"");
  command->add_option("ID", options->id, "Number of the approval, from `callgate pending`")
      ->type_name("")
      ->required();
  command
      ->add_option("--reason", options->reason,
                   allow ? "Why; goes on record" : "Why; goes on record and to the agent")
      ->type_name("TEXT");
  command->add_flag("--json", options->json, "Print the answered approval as JSON");
  command->callback(
      [options, verdict, &exit] { exit = run_answer(options->id, verdict, options->reason, options->json); });
}

}  // namespace proxy::commands
