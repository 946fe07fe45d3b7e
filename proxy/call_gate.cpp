#include "proxy/call_gate.hpp"

#include <algorithm>
#include <boost/asio/async_result.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "approvals/asks.hpp"
#include "approvals/binding.hpp"
#include "approvals/clients.hpp"
#include "approvals/effects.hpp"
#include "proxy/answers.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"
#include "proxy/call_records.hpp"
#include "proxy/folders.hpp"
#include "proxy/passage.hpp"
#include "proxy/recorded_scene.hpp"
#include "proxy/redirected.hpp"
#include "proxy/refusal_text.hpp"
#include "proxy/waiting_text.hpp"
#include "recovery/violation.hpp"

namespace proxy {

namespace asio = boost::asio;
using ledger::Append;
using ledger::Written;
using std::chrono::steady_clock;

namespace {

using AppendResult = base::Result<Written>;

constexpr std::size_t folders_max = 64;

std::string called(const transports::Message& message) {
  const std::string tool = tool_of(message);
  return tool.empty() ? message.method : tool;
}

}  // namespace

CallGate::CallGate(GateParts parts) : parts_(std::move(parts)) {
  folders_at_start_ = folders();
  agent_.process = parts_.agent_process;
  agent_key_ = agent_.process.boot + " " + std::to_string(agent_.process.pid) + " " +
               std::to_string(agent_.process.start);
}

void CallGate::set_agent(std::string name, std::string version) {
  agent_.name = std::move(name);
  agent_.version = std::move(version);
}

asio::awaitable<void> CallGate::run(std::shared_ptr<Call> call, Ends ends) {
  call->number = ++calls_;
  const approvals::Standing standing{parts_.mission, parts_.policy.digest()};
  Passage passage{.call = *call, .ends = ends, .at = {standing, parts_.server, call->number}};
  Action action = call->flow.resume({EventKind::begin});
  while (action != Action::done) {
    const Event event = co_await carry_out(action, passage);
    action = call->flow.resume(event);
  }
  co_await leave_ask(passage);  // however it ended, nothing stays asked for a call that is over
  if (history() != nullptr) history()->over(call->number);
}

asio::awaitable<Event> CallGate::carry_out(Action action, Passage& passage) {
  switch (action) {
    case Action::judge: co_return judge(passage, false);
    case Action::judge_again: co_return judge(passage, true);
    case Action::record_decision: co_return co_await record_decision(passage);
    case Action::hold: co_return co_await hold(passage);
    case Action::record_release: co_return co_await record_release(passage);
    case Action::record_expired: co_return co_await close_ask(passage, approvals::expired(passage.ask));
    case Action::record_detached:
      co_return co_await close_ask(
          passage, approvals::detached(passage.ask, client_limit(passage), passage.judgement.digests.repeat));
    case Action::record_withdrawn: co_await leave_ask(passage); co_return Event{EventKind::recorded};
    case Action::forward: co_return co_await forward(passage);
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

// What the policy is asked about; nothing when the bytes that are judged cannot be read.
std::optional<policy::Call> CallGate::describe(const transports::Message& message) const {
  const transports::Span judged = judged_part(message);
  policy::Call described{.server = parts_.server,
                         .catalogue_entry = parts_.catalogue_entry,
                         .method = message.method,
                         .tool = tool_of(message),
                         .arguments = base::json::Value::object(),
                         .agent = agent_.name,
                         .mission = parts_.mission,
                         .host_user = parts_.scene.user,
                         .folders = parts_.folders.value_or(std::vector<std::string>())};
  if (!judged.present()) return described;
  auto arguments = base::json::parse(message.at(judged));
  if (!arguments) return std::nullopt;
  described.arguments = std::move(*arguments);
  // The protocol's own: a tool's arguments have none, and another method's is no argument.
  if (described.tool.empty() && described.arguments.is_object()) described.arguments.erase("_meta");
  return described;
}

policy::Decision CallGate::decide(const policy::Call& described, const Passage& passage) {
  if (history() == nullptr) return parts_.policy.judge(described, parts_.scene);
  return parts_.policy.judge(described, parts_.scene, history()->before(passage.call.number, parts_.log));
}

Event CallGate::judge(Passage& passage, bool again) {
  const transports::Message& message = passage.call.message;
  passage.folders = folders();
  if (parts_.refresh) parts_.refresh();
  const auto described = describe(message);  // not kept: while a call is held, its bytes are enough
  if (!described) return {EventKind::failed};
  policy::Decision decision = decide(*described, passage);
  if (parts_.config.unattended && decision.tier == policy::Tier::ask) {
    decision.tier = policy::Tier::deny;
    passage.because = "it needs a person's approval, and nobody is there to give it (`unattended`)";
  }
  const std::string sent_before = again ? passage.sent().bytes : std::string();
  passage.redirected.reset();
  if (decision.redirected) {
    auto rewritten = redirected(message, *decision.redirected);
    if (!rewritten) parts_.log(rewritten.error().text());
    if (!rewritten) return {EventKind::failed};
    passage.redirected = std::move(*rewritten);
  }
  const transports::Message& sent = passage.sent();
  const bool same = again && asks_no_more(decision, passage.judgement.decision) &&
                    sent.bytes == sent_before && passage.at.standing.policy == parts_.policy.digest();
  passage.at.standing.policy = parts_.policy.digest();
  Judgement& judgement = passage.judgement;
  judgement.decision = std::move(decision);
  judgement.effects = approvals::effects_payload(judgement.decision);
  judgement.redirected = passage.redirected ? std::string(sent.at(judged_part(sent))) : std::string();
  std::string bound;
  if (history() != nullptr) {
    judgement.history_to = history()->judged(passage.call.number, judgement.decision, same);
    bound = approvals::bound_effects(judgement.decision);
  }
  judgement.folders = folders() == folders_at_start_ ? std::string() : folders_payload(*parts_.folders);
  // Where links lead now is part of what is asked: an answer to one binding never lets another go.
  const approvals::Binding binding{.mission = parts_.mission,
                                   .agent = agent_key_,
                                   .server = parts_.server,
                                   .method = message.method,
                                   .tool = described->tool,
                                   .arguments = sent.at(judged_part(sent)),
                                   .beside = message.beside,
                                   .policy = parts_.policy.digest(),
                                   .effects = history() == nullptr ? judgement.effects : bound};
  if (judgement.decision.tier == policy::Tier::ask)
    judgement.digests = approvals::call_digests(
        binding, passage.redirected ? *base::json::parse(judgement.redirected) : described->arguments);
  else
    judgement.digests = {approvals::call_digest(binding), {}};
  return {EventKind::judged, judgement.decision.tier, same};
}

// Comes back on the event loop once the append is durable or has failed. What this turn of the loop appends
// is written as one batch at its end.
asio::awaitable<AppendResult> CallGate::append_durably(Append records) {
  const auto executor = co_await asio::this_coro::executor;
  auto initiate = [this, &records, executor](auto handler) {
    // std::function needs a copyable callable; the handler is not. Shared for that alone.
    auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    parts_.writer->gather(std::move(records), [shared, executor](AppendResult result) {
      // At once when the loop itself wrote, else from the worker's thread.
      asio::dispatch(executor,
                     [shared, result = std::move(result)]() mutable { (*shared)(std::move(result)); });
    });
    if (std::exchange(write_posted_, true)) return;
    asio::post(executor, [this] {
      write_posted_ = false;
      parts_.writer->write();
    });
  };
  co_return co_await asio::async_initiate<decltype(asio::use_awaitable), void(AppendResult)>(
      initiate, asio::use_awaitable);
}

asio::awaitable<Event> CallGate::append(Append records, Written& written) {
  if (parts_.writer == nullptr) co_return Event{EventKind::failed};
  AppendResult result = co_await append_durably(std::move(records));
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
  const transports::Message& message = passage.call.message;
  const policy::Decision& decision = passage.judgement.decision;
  const bool asks = decision.tier == policy::Tier::ask;
  Append records = decision_records(passage.at, message, passage.judgement);
  if (asks && parts_.writer != nullptr) co_await place_ask(passage, records);
  Written written;
  const Event event = co_await append(std::move(records), written);
  if (event.kind != EventKind::recorded) co_return event;
  if (const auto violation = recovery::violation_of(decision))
    parts_.log(recovery::announcement(*violation, parts_.server, called(message)));
  passage.own = written.records.front();
  passage.passed = passage.own.sequence;
  passage.asked = asks;
  if (asks && !passage.joined) {
    passage.ask.ask = passage.own;
    parts_.log(waiting_text(passage.own.sequence, parts_.server + "/" + called(message), decision));
  }
  co_return event;
}

asio::awaitable<Event> CallGate::record_release(Passage& passage) {
  Written written;
  const Event event =
      co_await append(approvals::released(passage.ask, passage.answer, passage.at.standing), written);
  if (event.kind == EventKind::recorded) passage.asked = false;
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
  while (!call.answer) {
    if (call.flow.cancelled()) co_return Event{EventKind::cancelled};
    if (call.peer_gone) co_return Event{EventKind::peer_gone};
    co_await call.wakeup.wait();
  }
  if (history() != nullptr) history()->answered(passage.passed, call.answer->is_error);
  co_return Event{EventKind::answered};
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
