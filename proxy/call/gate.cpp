#include "proxy/call/gate.hpp"

#include <algorithm>
#include <utility>

#include "approvals/asks.hpp"
#include "approvals/clients.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/text.hpp"
#include "proxy/call/answers.hpp"
#include "proxy/call/described.hpp"
#include "proxy/call/passage.hpp"
#include "proxy/call/records.hpp"
#include "proxy/call/redirected.hpp"
#include "proxy/call/refusal_text.hpp"
#include "proxy/call/waiting_text.hpp"
#include "proxy/mission/grant_offer.hpp"
#include "proxy/recorded/scene.hpp"
#include "proxy/setup/folders.hpp"
#include "recovery/violation.hpp"

namespace proxy {

namespace asio = boost::asio;
using ledger::Append;
using ledger::Written;
using std::chrono::steady_clock;

namespace {

using AppendResult = base::Result<Written>;

constexpr std::size_t folders_max = 64;

}  // namespace

CallGate::CallGate(GateParts parts) : parts_(std::move(parts)), appends_(parts_.writer) {
  folders_at_start_ = folders();
  agent_.process = parts_.mission.agent();
  agent_key_ = agent_.process.boot + " " + std::to_string(agent_.process.pid) + " " +
               std::to_string(agent_.process.start);
}

void CallGate::set_agent(std::string name, std::string version) {
  agent_.name = std::move(name);
  agent_.version = std::move(version);
}

asio::awaitable<void> CallGate::run(std::shared_ptr<Call> call, Ends ends) {
  call->number = ++calls_;
  const approvals::Standing standing{parts_.mission.id(), policy().digest()};
  Passage passage{.call = *call, .ends = ends, .at = {standing, parts_.server, call->number}};
  co_await carry(passage);
  if (MissionHistory* history = parts_.mission.history()) history->over(call->number);
}

asio::awaitable<void> CallGate::carry(Passage& passage) {
  CallFlow& flow = passage.call.flow;
  Action action = flow.resume({EventKind::begin});
  while (action != Action::done) {
    const Event event = co_await carry_out(action, passage);
    action = flow.resume(event);
  }
  co_await leave_ask(passage);  // however it ended, nothing stays asked for a call that is over
}

asio::awaitable<Event> CallGate::carry_out(Action action, Passage& passage) {
  switch (action) {
    case Action::judge: co_return judge(passage, false);
    case Action::judge_again: co_return judge(passage, true);
    case Action::record_decision: co_return co_await record_decision(passage);
    case Action::hold: co_return co_await hold(passage);
    case Action::record_release: co_return co_await record_release(passage);
    case Action::record_expired: co_return co_await close_ask(passage, approvals::expired(passage.ask));
    case Action::record_detached: {
      const Event closed = co_await close_ask(
          passage, approvals::detached(passage.ask, client_limit(passage), passage.judgement.digests.repeat));
      if (closed.kind == EventKind::recorded) remember_detached(passage);
      co_return closed;
    }
    case Action::record_withdrawn: co_await leave_ask(passage); co_return Event{EventKind::recorded};
    case Action::forward:
      if (passage.answer_to != nullptr) co_return pass_answer_on(passage);
      co_return co_await forward(passage);
    case Action::ask_answer: co_return co_await ask_answer(passage);
    case Action::record_outcome:
      passage.asked = false;
      record_outcome(passage, passage.call.flow.ending());
      co_return Event{EventKind::recorded};
    case Action::refuse: co_return refuse(passage);
    case Action::done: break;
  }
  co_return Event{EventKind::failed};
}

void CallGate::learn_roots(const transports::Message& answer) {
  if (!parts_.folders) return;
  for (std::string& folder : folders_of_roots(answer, parts_.scene)) {
    if (parts_.folders->size() >= folders_max) folder = "/";  // no rule for a folder covers what starts there
    if (std::find(parts_.folders->begin(), parts_.folders->end(), folder) == parts_.folders->end())
      parts_.folders->push_back(std::move(folder));
  }
}

std::optional<policy::Call> CallGate::describe(const transports::Message& message) const {
  return described_call(place_of_calls(), message);
}

policy::Call CallGate::place_of_calls() const {
  return {.server = parts_.server,
          .catalogue_entry = parts_.catalogue_entry,
          .agent = agent_.name,
          .mission = parts_.mission.id(),
          .host_user = parts_.scene.user,
          .folders = parts_.folders.value_or(std::vector<std::string>())};
}

const policy::History& CallGate::before(const Passage& passage) {
  static const policy::History unknown;
  return history() == nullptr ? unknown : history()->before(passage.call.number, parts_.log);
}

Event CallGate::judge(Passage& passage, bool again) {
  passage.because.clear();
  if (passage.answer_to != nullptr) return judge_answer(passage, again);
  passage.folders = folders();
  parts_.mission.refresh();
  const auto described =
      describe(passage.call.message);  // not kept: while a call is held, its bytes are enough
  if (!described) return {EventKind::failed};
  const policy::History& before = this->before(passage);
  const policy::Witness witness(*parts_.scene.links);
  policy::Decision decision = policy().judge(*described, seen_by(witness), before);
  const std::string sent_before = again ? passage.sent().bytes : std::string();
  if (!rewrite(passage, decision)) return {EventKind::failed};
  // Of another policy, too: what a person was asked is what would happen now.
  const bool same =
      again && asks_no_more(decision, passage.judgement.decision) && passage.sent().bytes == sent_before;
  if (again && !same)
    parts_.log("approval " + std::to_string(passage.ask.ask.sequence) +
               " was given for what the call was before; it is judged anew: " + policy::name(decision.tier));
  passage.at.standing.policy = policy().digest();
  Judgement& judgement = passage.judgement;
  take(passage, *described, std::move(decision), witness);
  // What is approved already is released by that.
  if (judgement.decision.tier == policy::Tier::ask && !same) look_for_grants(passage, *described, before);
  deny_unattended(passage);
  if (history() != nullptr)
    judgement.history_to = history()->judged(passage.call.number, judgement.decision, same);
  return {EventKind::judged, judgement.decision.tier, same};
}

void CallGate::deny_unattended(Passage& passage) {
  policy::Tier& tier = passage.judgement.decision.tier;
  if (!parts_.config.unattended || tier != policy::Tier::ask) return;
  tier = policy::Tier::deny;
  passage.because = "it needs a person's approval, and nobody is there to give it (`unattended`)";
}

// What is passed on in place of the call's own message, where a rule redirects it. False: it cannot be made.
bool CallGate::rewrite(Passage& passage, const policy::Decision& decision) {
  passage.redirected.reset();
  if (!decision.redirected) return true;
  auto rewritten = redirected(passage.call.message, *decision.redirected);
  if (!rewritten) {
    parts_.log(rewritten.error().text());
    return false;
  }
  passage.redirected = std::move(*rewritten);
  return true;
}

policy::Scene CallGate::seen_by(const policy::Witness& witness) const {
  policy::Scene scene = parts_.scene;
  scene.links = &witness;
  return scene;
}

void CallGate::take(Passage& passage, const policy::Call& described, policy::Decision decision,
                    const policy::Witness& witness) {
  passage.judgement = judgement_of(std::move(decision), {.call = described,
                                                         .message = passage.call.message,
                                                         .sent = passage.sent(),
                                                         .agent = agent_key_,
                                                         .policy = policy().digest(),
                                                         .counts = history() != nullptr});
  passage.judgement.seen = policy::seen_payload(witness.seen());
  if (folders() != folders_at_start_) passage.judgement.folders = folders_payload(*parts_.folders);
}

// Of an ask: allowed by what the operator granted beforehand, or with what may be granted now.
void CallGate::look_for_grants(Passage& passage, const policy::Call& described,
                               const policy::History& before) {
  LiveGrants* live = parts_.mission.grants();
  if (live == nullptr) return;
  Judgement& judgement = passage.judgement;
  const base::Digest same = judgement.offer.same;
  const auto grants = live->standing(judgement.digests, same, parts_.log);
  passage.grants_seen = live->seen();
  const policy::Witness witness(*parts_.scene.links);
  if (auto granted = policy().judge_granted(described, seen_by(witness), before, grants))
    take(passage, described, std::move(*granted), witness);
  else
    judgement.offer = grant_offer(policy(), described, parts_.scene, before, judgement.decision, same);
}

asio::awaitable<Event> CallGate::append(Append records, Written& written) {
  if (parts_.writer == nullptr) co_return Event{EventKind::failed};
  AppendResult result = co_await appends_.append(std::move(records));
  if (result) {
    written = std::move(*result);
    co_return Event{EventKind::recorded};
  }
  if (result.error().code() == base::Code::conflict) co_return Event{EventKind::conflict};
  parts_.log("the ledger cannot be written: " + result.error().text());
  co_return Event{EventKind::failed};
}

asio::awaitable<Event> CallGate::record_decision(Passage& passage) {
  co_await leave_ask(passage);  // decided anew: what was asked before is not asked any more
  passage.joined = false;
  passage.ask = {};
  const transports::Message& message = passage.call.message;
  const policy::Decision& decision = passage.judgement.decision;
  const bool asks = decision.tier == policy::Tier::ask;
  Append records = decision_records(passage.at, message, passage.judgement);
  if (passage.answer_to != nullptr)
    name_answer(records, passage.answer_to->call.message, passage.answer_to->passed);
  if (asks && parts_.writer != nullptr) co_await place_ask(passage, records);
  Written written;
  const Event event = co_await append(std::move(records), written);
  if (event.kind != EventKind::recorded) co_return event;
  if (const auto violation = recovery::violation_of(decision); violation && passage.answer_to == nullptr)
    parts_.log(recovery::announcement(*violation, parts_.server, called(message)));
  passage.own = written.records.front();
  passage.passed = passage.own.sequence;
  passage.asked = asks;
  co_await close_superseded(passage);
  if (asks && !passage.joined) {
    passage.ask.ask = passage.own;
    parts_.log(passage.answer_to == nullptr
                   ? waiting_text(passage.own.sequence, parts_.server + "/" + called(message), decision)
                   : answer_waiting_text(passage.own.sequence,
                                         {passage.answer_to->passed,
                                          parts_.server + "/" + called(passage.answer_to->call.message),
                                          passage.answer_to->judgement.decision},
                                         decision));
  }
  co_return event;
}

asio::awaitable<Event> CallGate::record_release(Passage& passage) {
  Written written;
  const Event event =
      co_await append(approvals::released(passage.ask, passage.answer_record, passage.at.standing), written);
  if (event.kind == EventKind::recorded) {
    passage.asked = false;
    ownerless_.erase(passage.ask.ask.sequence);
  }
  passage.passed = passage.ask.ask.sequence;
  co_return event;
}

asio::awaitable<Event> CallGate::forward(Passage& passage) {
  Call& call = passage.call;
  if (call.peer_gone) co_return Event{EventKind::peer_gone};
  if (passage.folders != folders()) co_return Event{EventKind::conflict};
  call.forwarded_at = steady_clock::now();
  const policy::Decision& decision = passage.judgement.decision;
  if (call.direction == Direction::to_server) call.result_rules = decision.result_rules;
  if (passage.redirected) call.note = policy::explain_redirect(*decision.redirected);
  call.forwarded = passage.ends.to_peer(passage.sent().bytes);
  if (!call.forwarded) co_return Event{EventKind::peer_gone};
  while (!call.answer && !call.arrived) {
    if (call.flow.cancelled()) co_return Event{EventKind::cancelled};
    if (call.peer_gone) co_return Event{EventKind::peer_gone};
    co_await call.wakeup.wait();
  }
  const bool is_error =
      call.answer ? call.answer->is_error : call.arrived->is_error || call.arrived->tool_error;
  if (history() != nullptr) history()->answered(passage.passed, is_error);
  co_return Event{call.answer ? EventKind::answered : EventKind::answer_asks};
}

// Of this call's own decision, written with the next batch.
void CallGate::record_outcome(const Passage& passage, Ending ending) {
  if (parts_.writer == nullptr) return;
  ledger::Append records = outcome_record(passage.at, passage.own, ending, passage.call, steady_clock::now());
  for (const ledger::Draft& draft : records.drafts)
    if (draft.record.violation)
      parts_.log(
          recovery::announcement(*draft.record.violation, parts_.server, called(passage.call.message)));
  // Later calls queue behind it: none is forwarded before this is durable, and none waits for it alone.
  parts_.writer->append_later(std::move(records), [log = parts_.log](AppendResult result) {
    if (!result) log("an outcome could not be recorded: " + result.error().text());
  });
}

Event CallGate::refuse(Passage& passage) {
  if (passage.answer_to != nullptr) return withhold_answer(passage);
  Call& call = passage.call;
  if (call.flow.cancelled() || call.requester_gone) return {EventKind::told};
  const WhyRefused why = call.flow.why_refused();
  const std::string text = refusal_text({.why = why,
                                         .direction = call.direction,
                                         .forwarded = call.forwarded,
                                         .ask = passage.ask.ask.sequence,
                                         .decision = passage.judgement.decision,
                                         .because = passage.because});
  call.told = true;  // before it is: what fails in telling is not told again
  passage.ends.answer(call_answer(call.message, refusal_code(why), text));
  return {EventKind::told};
}

}  // namespace proxy
