#include "proxy/commands/operator.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <optional>
#include <utility>

#include "approvals/asks.hpp"
#include "approvals/operator_key.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"
#include "proxy/base/utf8.hpp"
#include "proxy/recorded/ask_again.hpp"
#include "proxy/recorded/broken_policy.hpp"
#include "proxy/recorded/covered_asks.hpp"

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

bool answerable(const ledger::Ask* ask, base::WallTime now) {
  return ask != nullptr &&
         (ask->state == ledger::AskState::open || ask->state == ledger::AskState::detached) &&
         ask->expires > now.time_since_epoch().count();
}

// What the operator must know of an approval whose session has gone over to another policy since the call was
// asked; empty: it has not. Before the answer: then the call is not judged anew yet.
std::string policy_note(const ledger::Reader& reader, const Surroundings& here,
                        const approvals::AskView& ask) {
  const auto changed = AskAgain::policy_changed(reader, ask.decision);
  if (!changed || !*changed) return {};
  const std::string since = "the policy has changed since this was asked";
  if (ask.of_answer()) return since + ": what came back is searched and asked for anew";
  const auto again = AskAgain::read(reader, here, ask.decision);
  if (!again) return since + ": the call is judged anew by it";
  const auto otherwise = again->decided_otherwise();
  // What an agent repeats is known by the policy, too.
  if (!otherwise)
    return since + (ask.detached
                        ? ": when the agent repeats the call, it is asked again, for the same reasons"
                        : ", and asks the same of the call: the approval holds");
  return since + ": the call is judged anew: " + policy::name(otherwise->tier) + ", " +
         policy::explain_to_agent(*otherwise) +
         (otherwise->tier == policy::Tier::ask ? " (see `callgate pending`)" : "");
}

}  // namespace

base::Result<std::vector<approvals::AskView>> read_waiting(const ledger::Place& place,
                                                           const std::vector<approvals::AskView>& known) {
  const auto reader = ledger::Reader::open(place);
  if (reader) return approvals::waiting_views(**reader, base::wall_now(), known);
  if (reader.error().code() == base::Code::not_found) return std::vector<approvals::AskView>();
  return reader.error();
}

base::Result<base::SigningKey> matching_key(const std::string& state_folder, const ledger::Fold& fold) {
  auto key = approvals::load_key(state_folder);
  if (!key) return key.error();
  if (fold.operator_key() != approvals::public_text(*key))
    return base::Error(base::Code::refused, "the operator key in " + base::quoted(state_folder + "/keys") +
                                                " is not the one that this ledger was made with");
  return key;
}

base::Result<std::unique_ptr<ledger::Writer>> operator_writer(const std::string& state_folder,
                                                              const base::SigningKey& key) {
  ledger::WriterOptions options;  // the ledger exists: nobody asks for a key to make one with
  options.operator_key = [&]() -> base::Result<std::string> { return approvals::public_text(key); };
  return ledger::Writer::open({state_folder}, options);
}

base::Result<void> check_reason(const std::string& reason) {
  if (reason.size() <= approvals::rationale_bytes_max && base::utf8::valid(reason)) return {};
  return base::Error(base::Code::invalid, "a reason is UTF-8 text of at most " +
                                              std::to_string(approvals::rationale_bytes_max) + " bytes");
}

base::Result<Answered> answer_ask(const Surroundings& here, std::uint64_t id, Verdict verdict,
                                  const std::string& reason, const MakeGrant& grant) {
  const std::string& state_folder = here.state_folder;
  if (const auto good = check_reason(reason); !good) return good.error();
  const auto reader = ledger::Reader::open({state_folder});
  if (!reader) return reader.error().code() == base::Code::not_found ? unknown(id) : reader.error();
  const auto fold = (*reader)->state();
  if (!fold) return fold.error();
  const ledger::Ask* ask = fold->ask(id);
  if (!answerable(ask, base::wall_now())) return over(**reader, id, ask, base::wall_now());
  auto view = approvals::view_of(**reader, *ask);
  if (!view) return view.error();
  if (verdict == Verdict::allow)
    if (const auto broken = broken_policy(**reader, here, view->decision.record))
      return base::Error(base::Code::refused,
                         "nothing was answered, and the call still waits: a policy file cannot be read, and "
                         "until it can every call is denied, an approved one, too: " +
                             broken->text());
  const auto key = matching_key(state_folder, *fold);
  if (!key) return key.error();
  std::optional<ledger::Draft> granted;
  if (grant) {
    if (fold->mission(view->decision.record.mission) == nullptr)
      return base::Error(base::Code::refused, "the mission has ended: nothing can be granted in it");
    auto made = grant(*view, *key);
    if (!made) return made.error();
    granted = std::move(*made);
  }
  const auto writer = operator_writer(state_folder, *key);
  if (!writer) return writer.error();
  std::string note = verdict == Verdict::allow ? policy_note(**reader, here, *view) : "";
  ledger::Append append = approvals::make_answer(view->decision.record, view->decision.leaf, verdict, reason,
                                                 base::wall_now(), *key, base::random_bytes(16));
  if (granted) append.drafts.push_back(std::move(*granted));
  const auto written = (*writer)->append_now(std::move(append));
  if (!written) {
    if (written.error().code() != base::Code::conflict) return written.error();
    const auto now = (*reader)->state();  // somebody was first
    if (!now) return written.error();
    return over(**reader, id, now->ask(id), base::wall_now());
  }
  Answered answered{std::move(*view), written->records.front().sequence, 0, std::move(note)};
  if (!granted) return answered;
  answered.grant = written->records.back().sequence;
  for (const approvals::AskAt& covered : covered_asks(**reader, here, answered.grant))
    (*writer)->append_now(
        approvals::withdrawn(covered, approvals::Withdrawal::closed));  // or it is over by now
  return answered;
}

base::Result<bool> confirmed(const std::string& question, bool yes) {
  if (yes) return true;
  std::fflush(stdout);  // what is meant stands before the question, or before the error
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0)
    return base::Error(base::Code::invalid,
                       "there is no terminal to ask on; `--yes` says that you have read this");
  std::fprintf(stderr, "%s [y/N] ", question.c_str());
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

void print_answered(const Answered& answered, Verdict verdict, bool json) {
  if (json) {
    base::json::Value object = approvals::to_json(answered.ask);
    object["answer"] = approvals::name(verdict);
    object["record"] = answered.record;
    if (answered.grant != 0) object["grant"] = answered.grant;
    std::printf("%s\n", approvals::json_text(object).c_str());
    return;
  }
  std::string usable;  // one that is held passes at once
  if (answered.ask.detached && verdict == Verdict::allow)
    usable = "; usable for " + std::to_string(approvals::usable_for.count()) +
             " minutes, when the agent repeats it";
  const char* said = verdict == Verdict::allow ? "allowed once:" : "denied:";
  if (answered.grant != 0) said = "allowed for this mission:";
  std::printf("%s %s%s\n", said, approvals::answered_line(answered.ask).c_str(), usable.c_str());
  if (answered.grant != 0)
    std::printf("grant %llu; `callgate grants revoke %llu` takes it back\n",
                static_cast<unsigned long long>(answered.grant),
                static_cast<unsigned long long>(answered.grant));
}

}  // namespace proxy::commands
