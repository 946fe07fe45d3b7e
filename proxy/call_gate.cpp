#include "proxy/call_gate.hpp"

#include <algorithm>
#include <boost/asio/async_result.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "approvals/answer.hpp"
#include "approvals/asks.hpp"
#include "approvals/binding.hpp"
#include "approvals/clients.hpp"
#include "approvals/effects.hpp"
#include "ledger/reader.hpp"
#include "proxy/answers.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"
#include "recovery/violation.hpp"

namespace proxy {

namespace asio = boost::asio;
using ledger::Append;
using ledger::Draft;
using ledger::Type;
using ledger::Written;
using std::chrono::steady_clock;

namespace {

using AppendResult = base::Result<Written>;

std::vector<std::string> kinds_of(const std::vector<policy::Effect>& effects) {
  std::vector<std::string> kinds;
  for (const auto& effect : effects)
    if (std::find(kinds.begin(), kinds.end(), policy::name(effect.kind)) == kinds.end())
      kinds.emplace_back(policy::name(effect.kind));
  return kinds;
}

std::vector<ledger::Rule> rules_of(const policy::Decision& decision) {
  std::vector<ledger::Rule> rules;
  for (const auto& reason : decision.reasons) {
    if (reason.rule.empty() && reason.tier == policy::Tier::allow) continue;  // judged beside another effect
    ledger::Rule rule{reason.rule.empty() ? "default" : reason.rule, policy::name(reason.layer),
                      policy::name(reason.tier)};
    if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(std::move(rule));
  }
  return rules;
}

bool is_tool_call(const transports::Message& message) { return message.method == "tools/call"; }

// What is judged, bound and recorded of a request: a tool's arguments, else all of its params.
transports::Span judged_part(const transports::Message& message) {
  return is_tool_call(message) ? message.arguments : message.params;
}

std::int64_t nanoseconds_after(std::chrono::milliseconds delay) {
  return (base::wall_now() + delay).time_since_epoch().count();
}

}  // namespace

struct CallGate::Passage {
  HeldCall& call;
  const Ends& ends;
  policy::Call described;
  policy::Decision decision;
  std::string effects;     // the payload
  base::Digest binding{};  // of the call, its policy and its effects
  ledger::Reference own;   // this call's decision record
  approvals::AskAt ask;    // the ask it waits on: its own, or the one it joined
  bool joined = false;
  bool asked = false;           // its ask is not over yet
  std::int64_t expires = 0;     // UTC ns
  std::uint64_t answer = 0;     // sequence of the operator's answer
  std::string refused_because;  // detail for the requester
};

CallGate::CallGate(GateParts parts) : parts_(std::move(parts)) {}

asio::awaitable<void> CallGate::run(std::shared_ptr<HeldCall> call, Ends ends) {
  call->number = ++calls_;
  Passage passage{.call = *call, .ends = ends};
  Action action = call->flow.resume({EventKind::begin});
  while (action != Action::done) {
    const Event event = co_await carry_out(action, passage);
    action = call->flow.resume(event);
  }
  co_await leave_ask(passage);  // however it ended, nothing stays asked for a call that is over
}

asio::awaitable<Event> CallGate::carry_out(Action action, Passage& passage) {
  switch (action) {
    case Action::judge: co_return judge(passage, false);
    case Action::judge_again: co_return judge(passage, true);
    case Action::record_decision: co_return co_await record_decision(passage);
    case Action::hold: co_return co_await hold(passage);
    case Action::record_release:
    case Action::record_expired:
    case Action::record_withdrawn:
    case Action::record_detached: co_return co_await record_step(passage, action);
    case Action::forward: co_return co_await forward(passage);
    case Action::record_outcome: co_return record_outcome(passage);
    case Action::refuse: co_return refuse(passage);
    case Action::done: break;
  }
  co_return Event{EventKind::failed};
}

Event CallGate::judge(Passage& passage, bool again) {
  const transports::Message& message = passage.call.message;
  const transports::Span span = judged_part(message);
  if (!again) {
    passage.described.server = parts_.server;
    passage.described.catalogue_entry = parts_.catalogue_entry;
    passage.described.method = message.method;
    passage.described.tool = is_tool_call(message) ? message.name : "";
    passage.described.agent = agent_;
    passage.described.mission = parts_.mission;
    passage.described.arguments = base::json::Value::object();
    if (span.present()) {
      auto arguments = base::json::parse(message.at(span));
      if (!arguments) return {EventKind::failed};
      passage.described.arguments = std::move(*arguments);
    }
  }
  policy::Decision decision = parts_.policy.judge(passage.described, parts_.scene);
  if (parts_.config.unattended && decision.tier == policy::Tier::ask) {
    decision.tier = policy::Tier::deny;
    passage.refused_because = "it needs a person's approval, and nobody is there to give it (`unattended`)";
  }
  const bool same = again && decision.effects == passage.decision.effects;
  passage.decision = std::move(decision);
  passage.effects = approvals::effects_payload(passage.decision);
  // Where links lead now is part of what is asked: an answer to one binding never lets another go.
  passage.binding = approvals::call_digest({.mission = parts_.mission,
                                            .server = parts_.server,
                                            .method = message.method,
                                            .tool = passage.described.tool,
                                            .arguments = message.at(span),
                                            .policy = parts_.policy.digest(),
                                            .effects = passage.effects});
  return {EventKind::judged, passage.decision.tier, same};
}

// Comes back on the event loop once the append is durable or has failed. What this turn of the loop appends
// is written as one batch at its end.
asio::awaitable<AppendResult> CallGate::append_durably(Append append) {
  const auto executor = co_await asio::this_coro::executor;
  auto initiate = [this, &append, executor](auto handler) {
    // std::function needs a copyable callable; the handler is not. Shared for that alone.
    auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    parts_.writer->gather(std::move(append), [shared, executor](AppendResult result) {
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

asio::awaitable<Event> CallGate::append(Append append, Written& written) {
  if (parts_.writer == nullptr) co_return Event{EventKind::failed};
  AppendResult result = co_await append_durably(std::move(append));
  if (result) {
    written = std::move(*result);
    co_return Event{EventKind::recorded};
  }
  if (result.error().code() == base::Code::conflict) co_return Event{EventKind::conflict};
  parts_.log("the ledger cannot be written: " + result.error().text());
  co_return Event{EventKind::failed};
}

// The call waits on its ask no longer, and is not released by it. The ask ends with the last call that waits
// on it; the decision of a call that leaves others waiting, or that joined, gets an outcome of its own.
asio::awaitable<void> CallGate::leave_ask(Passage& passage) {
  if (!std::exchange(passage.asked, false)) co_return;
  const std::uint64_t ask = passage.ask.ask.sequence;
  if (!passage.joined) ownerless_.insert(ask);
  const bool last = !waiting_.contains(ask) && ownerless_.contains(ask);
  if (passage.joined || !last) record_end(passage, "cancelled");
  if (!last) co_return;
  ownerless_.erase(ask);
  Written written;
  const auto cause =
      passage.call.cancelled ? approvals::Withdrawal::cancelled : approvals::Withdrawal::closed;
  co_await append(approvals::withdrawn(passage.ask, cause), written);
}

asio::awaitable<Event> CallGate::record_decision(Passage& passage) {
  const transports::Message& message = passage.call.message;
  const policy::Tier tier = passage.decision.tier;
  const approvals::Standing standing{parts_.mission, parts_.policy.digest()};
  co_await leave_ask(passage);  // decided anew: what was asked before is not asked any more

  Append append;
  Draft draft;
  draft.record.type = Type::decision;
  draft.record.mission = parts_.mission;
  draft.record.call = passage.call.number;
  draft.record.policy = parts_.policy.digest();
  draft.record.server = parts_.server;
  draft.record.capability = ledger::Capability{message.method, passage.described.tool,
                                               kinds_of(passage.decision.effects), passage.binding};
  draft.record.decision = policy::name(tier);
  draft.record.rules = rules_of(passage.decision);
  const transports::Span span = judged_part(message);
  if (span.present()) draft.payloads.push_back({"arguments", std::string(message.at(span))});
  draft.payloads.push_back({"effects", passage.effects});

  if (tier == policy::Tier::ask && parts_.writer != nullptr) {
    const ledger::Fold fold = parts_.writer->state();
    // An ask that no process waits on any more, and whose time has passed, is closed by whoever meets it.
    for (const ledger::Ask& over : approvals::overdue(fold, base::wall_now())) {
      Written closed;
      co_await this->append(approvals::expired({{over.decision, over.leaf}, over.mission, over.server, 0}),
                            closed);
    }
    const ledger::Ask* standing_ask =
        approvals::standing_ask(fold, parts_.mission, passage.binding, base::wall_now());
    passage.joined = standing_ask != nullptr;
    passage.ask = {
        .ask = {}, .mission = parts_.mission, .server = parts_.server, .call = passage.call.number};
    if (passage.joined) {
      passage.ask.ask = {standing_ask->decision, standing_ask->leaf};
      passage.expires = standing_ask->expires;
      draft.record.details["joins"] = std::to_string(standing_ask->decision);
      draft.record.answers = passage.ask.ask;
      append.preconditions = approvals::joining(standing, standing_ask->decision);
    } else {
      passage.expires = nanoseconds_after(parts_.config.ask_timeout);
      draft.record.details["expires"] = std::to_string(passage.expires);
      append.preconditions = approvals::opening(standing, passage.binding);
    }
  } else {
    append.preconditions = {{.kind = ledger::Precondition::Kind::mission_active, .mission = parts_.mission}};
  }
  append.drafts.push_back(std::move(draft));

  const auto violation = recovery::violation_of(passage.decision);
  if (violation) {
    Draft breach;
    breach.record.type = Type::violation;
    breach.record.mission = parts_.mission;
    breach.record.call = passage.call.number;
    breach.record.server = parts_.server;
    breach.record.answers = ledger::Reference{Append::answers_previous, {}};
    breach.record.violation = violation;
    append.drafts.push_back(std::move(breach));
  }

  Written written;
  const Event event = co_await this->append(std::move(append), written);
  if (event.kind != EventKind::recorded) co_return event;
  if (violation)
    parts_.log(recovery::announcement(
        *violation, parts_.server, passage.described.tool.empty() ? message.method : passage.described.tool));
  passage.own = written.records.front();
  passage.asked = tier == policy::Tier::ask;
  if (passage.asked && !passage.joined) passage.ask.ask = passage.own;
  co_return event;
}

asio::awaitable<Event> CallGate::record_step(Passage& passage, Action action) {
  if (action == Action::record_withdrawn) {
    co_await leave_ask(passage);
    co_return Event{EventKind::recorded};
  }
  const approvals::Standing standing{parts_.mission, parts_.policy.digest()};
  Append append;
  switch (action) {
    case Action::record_release: append = approvals::released(passage.ask, passage.answer, standing); break;
    case Action::record_expired: append = approvals::expired(passage.ask); break;
    case Action::record_detached: append = approvals::detached(passage.ask, client_limit(passage)); break;
    case Action::record_withdrawn:
    case Action::judge:
    case Action::record_decision:
    case Action::hold:
    case Action::judge_again:
    case Action::forward:
    case Action::record_outcome:
    case Action::refuse:
    case Action::done: co_return Event{EventKind::failed};
  }
  Written written;
  const Event event = co_await this->append(std::move(append), written);
  if (action == Action::record_release && event.kind != EventKind::recorded) co_return event;
  // Released, expired or detached: the ask goes its own way now. A joined call's decision is closed by
  // itself.
  passage.asked = false;
  if (passage.joined && action != Action::record_release) record_end(passage, "cancelled");
  co_return event;
}

std::chrono::milliseconds CallGate::client_limit(const Passage& passage) const {
  // The server as requester of sampling or elicitation is no known client: it waits as an unknown one.
  const bool from_agent = passage.call.direction == Direction::to_server;
  return approvals::hold_limit(from_agent ? agent_ : "", !passage.call.message.progress_token.empty(),
                               parts_.config.client_limits);
}

asio::awaitable<Event> CallGate::hold(Passage& passage) {
  HeldCall& call = passage.call;
  if (call.cancelled || call.requester_gone) co_return Event{EventKind::cancelled};
  if (call.peer_gone) co_return Event{EventKind::peer_gone};
  approvals::HoldTerms terms;
  terms.ask = passage.ask.ask;
  terms.expires = base::WallTime(std::chrono::nanoseconds(passage.expires));
  terms.client_limit = base::monotonic_now() + client_limit(passage);
  terms.progress = !call.message.progress_token.empty();
  auto send_progress = [&call, &passage](std::uint64_t count) {
    call.progress_sent = count;
    passage.ends.to_requester(
        progress_notification(call.message.progress_token, count, "waiting for a person's approval"));
  };
  approvals::Held held(parts_.watch, terms, send_progress);
  call.interrupt = [&held] { held.cancel(); };
  const std::uint64_t ask = passage.ask.ask.sequence;
  ++waiting_[ask];
  const approvals::Resolution resolution = co_await held.wait();
  if (--waiting_[ask] == 0) waiting_.erase(ask);
  if (!waiting_.contains(ask) && resolution.fate != approvals::Fate::cancelled) ownerless_.erase(ask);
  call.interrupt = nullptr;
  switch (resolution.fate) {
    case approvals::Fate::allowed:
      passage.answer = resolution.answer->record.sequence;
      co_return Event{EventKind::allowed};
    case approvals::Fate::denied:
      passage.refused_because = rationale(*resolution.answer);
      co_return Event{EventKind::denied};
    case approvals::Fate::expired: co_return Event{EventKind::expired};
    case approvals::Fate::client_limit: co_return Event{EventKind::client_limit};
    case approvals::Fate::withdrawn:
    case approvals::Fate::taken: co_return Event{EventKind::conflict};
    case approvals::Fate::cancelled:
      co_return Event{call.peer_gone ? EventKind::peer_gone : EventKind::cancelled};
    case approvals::Fate::unreadable: break;
  }
  parts_.log("a held call ends unapproved: " + resolution.why);
  co_return Event{EventKind::failed};
}

// The operator's words, for the agent; empty when there are none or they cannot be read.
std::string CallGate::rationale(const ledger::StoredRecord& answer) const {
  const auto reader = ledger::Reader::open(parts_.ledger);
  if (!reader) return {};
  const auto payload = (*reader)->payload(answer, "rationale");
  if (!payload || !*payload) return {};
  return base::bounded(approvals::rationale_of(answer.record, **payload).value_or(""), 2000);
}

asio::awaitable<Event> CallGate::forward(Passage& passage) {
  HeldCall& call = passage.call;
  if (call.peer_gone) co_return Event{EventKind::peer_gone};
  call.forwarded = true;
  call.forwarded_at = steady_clock::now();
  if (!passage.ends.to_peer(call.message.bytes)) co_return Event{EventKind::peer_gone};
  while (!call.answer) {
    if (call.cancelled) co_return Event{EventKind::cancelled};
    if (call.peer_gone) co_return Event{EventKind::peer_gone};
    co_await call.wakeup.wait();
  }
  co_return Event{EventKind::answered};
}

Event CallGate::record_outcome(Passage& passage) {
  passage.asked = false;
  switch (passage.call.flow.ending()) {
    case Ending::answered: record_end(passage, "answered"); break;
    case Ending::refused: record_end(passage, "refused"); break;
    case Ending::cancelled: record_end(passage, "cancelled"); break;
    case Ending::peer_gone:
    case Ending::none: record_end(passage, "failed"); break;
  }
  return {EventKind::recorded};
}

// The outcome of this call's own decision, written with the next batch.
void CallGate::record_end(const Passage& passage, const char* status) {
  if (parts_.writer == nullptr) return;
  const HeldCall& call = passage.call;
  Append append;
  Draft draft;
  draft.record.type = Type::outcome;
  draft.record.mission = parts_.mission;
  draft.record.call = call.number;
  draft.record.server = parts_.server;
  draft.record.answers = passage.own;
  ledger::Outcome outcome;
  outcome.status = status;
  if (call.forwarded)
    outcome.duration = std::chrono::nanoseconds(steady_clock::now() - call.forwarded_at).count();
  if (call.answer) {
    outcome.is_error = call.answer->is_error;
    outcome.size = call.answer->size;
    draft.payloads.push_back({"result", call.answer->result});
  }
  draft.record.outcome = std::move(outcome);
  append.drafts.push_back(std::move(draft));
  // Later calls queue behind it: none is forwarded before this is durable, and none waits for it alone.
  parts_.writer->append_later(std::move(append), [log = parts_.log](AppendResult result) {
    if (!result) log("an outcome could not be recorded: " + result.error().text());
  });
}

Event CallGate::refuse(Passage& passage) {
  const HeldCall& call = passage.call;
  if (call.cancelled || call.requester_gone) return {EventKind::told};
  AnswerCode code = AnswerCode::failed;
  switch (call.flow.refusal()) {
    case Refusal::denied:
    case Refusal::by_operator: code = AnswerCode::denied; break;
    case Refusal::timed_out: code = AnswerCode::timed_out; break;
    case Refusal::pending: code = AnswerCode::pending; break;
    case Refusal::peer_gone: code = AnswerCode::peer_gone; break;
    case Refusal::failed:
    case Refusal::none: code = AnswerCode::failed; break;
  }
  passage.ends.to_requester(call_answer(call.message, code, refusal_text(passage)));
  return {EventKind::told};
}

std::string CallGate::refusal_text(const Passage& passage) const {
  const std::string ask = std::to_string(passage.ask.ask.sequence);
  switch (passage.call.flow.refusal()) {
    case Refusal::denied:
      if (!passage.refused_because.empty()) return "callgate refused this call: " + passage.refused_because;
      return policy::explain_to_agent(passage.decision);
    case Refusal::by_operator:
      return "the operator refused this call" +
             (passage.refused_because.empty() ? "" : ": " + passage.refused_because) +
             "; it was not executed, and repeating it will not help";
    case Refusal::timed_out:
      return "not executed, timed out: this call needs a person's approval (" + ask +
             ") and nobody answered in time; nobody refused it";
    case Refusal::pending:
      return "not executed yet: approval " + ask +
             " is still pending; repeat exactly the same call later, or go on with something else";
    case Refusal::peer_gone: {
      const std::string peer = passage.call.direction == Direction::to_server ? "the server" : "the agent";
      return passage.call.forwarded
                 ? peer + " ended before it answered; whether the call took effect is unknown"
                 : "not executed: " + peer + " has ended";
    }
    case Refusal::failed:
    case Refusal::none: break;
  }
  return "callgate could not decide or record this call, so it was not passed on; other calls may still work";
}

}  // namespace proxy
