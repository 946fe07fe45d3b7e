#include "proxy/call/flow.hpp"

#include "proxy/base/check.hpp"

namespace proxy {

Action CallFlow::go(Action action) { return action_ = action; }

Action CallFlow::refuse(WhyRefused why) {
  why_refused_ = why;
  return go(Action::refuse);
}

Action CallFlow::end(Ending ending) {
  ending_ = ending;
  return go(Action::record_outcome);
}

// The decision is on record: only now may anything follow from it.
Action CallFlow::after_decision() {
  switch (tier_) {
    case policy::Tier::allow: return cancelled_ ? end(Ending::cancelled) : go(Action::forward);
    case policy::Tier::ask: return go(cancelled_ ? Action::record_withdrawn : Action::hold);
    case policy::Tier::deny: return refuse(WhyRefused::denied);
  }
  return refuse(WhyRefused::failed);
}

Action CallFlow::after_conflict() {
  if (cancelled_) return go(Action::record_withdrawn);  // of an ask, if there is one
  return ++conflicts_ > conflicts_max ? refuse(WhyRefused::failed) : go(Action::judge);
}

Action CallFlow::after_hold(EventKind kind) {
  switch (kind) {
    case EventKind::allowed: return go(Action::judge_again);
    case EventKind::denied: why_refused_ = WhyRefused::by_operator; return end(Ending::refused);
    case EventKind::expired: return go(Action::record_expired);
    case EventKind::client_limit: return go(Action::record_detached);
    case EventKind::cancelled: return go(Action::record_withdrawn);
    case EventKind::peer_gone: why_refused_ = WhyRefused::peer_gone; return go(Action::record_withdrawn);
    case EventKind::conflict: return after_conflict();
    case EventKind::begin:
    case EventKind::judged:
    case EventKind::recorded:
    case EventKind::failed:
    case EventKind::answered:
    case EventKind::answer_asks:
    case EventKind::told: return refuse(WhyRefused::failed);
  }
  return refuse(WhyRefused::failed);
}

Action CallFlow::after_forward(EventKind kind) {
  if (kind == EventKind::answered) return end(Ending::answered);
  if (kind == EventKind::answer_asks) return go(Action::ask_answer);
  if (kind == EventKind::cancelled) return end(Ending::cancelled);
  if (kind == EventKind::conflict) {  // not forwarded: what it was judged by has changed
    why_refused_ = WhyRefused::failed;
    return end(Ending::refused);
  }
  why_refused_ = WhyRefused::peer_gone;
  return end(Ending::peer_gone);
}

Action CallFlow::resume(const Event& event) {
  if (event.kind == EventKind::begin) {
    CHECK(!started_);
    started_ = true;
    return go(Action::judge);
  }
  CHECK(started_);
  switch (action_) {
    case Action::judge:
      if (event.kind != EventKind::judged) return refuse(WhyRefused::failed);
      tier_ = event.tier;
      return go(Action::record_decision);

    case Action::record_decision:
      if (event.kind == EventKind::recorded) return after_decision();
      return event.kind == EventKind::conflict ? after_conflict() : refuse(WhyRefused::failed);

    case Action::hold: return after_hold(event.kind);

    case Action::judge_again:
      if (event.kind != EventKind::judged) return refuse(WhyRefused::failed);
      if (cancelled_) return go(Action::record_withdrawn);
      // What was approved is no longer what would happen: it is a new decision, and asked again if need be.
      if (event.tier == policy::Tier::deny || !event.same_effects) {
        tier_ = event.tier;
        return go(Action::record_decision);
      }
      return go(Action::record_release);

    case Action::record_release:
      if (event.kind == EventKind::recorded) return cancelled_ ? end(Ending::cancelled) : go(Action::forward);
      return event.kind == EventKind::conflict ? after_conflict() : refuse(WhyRefused::failed);

    // A conflict here means that the ask was answered in the same moment: the answer stays on record for a
    // repeat.
    case Action::record_expired: return refuse(WhyRefused::timed_out);
    case Action::record_withdrawn:
    case Action::record_outcome: return go(why_refused_ == WhyRefused::none ? Action::done : Action::refuse);
    case Action::record_detached:
      return refuse(event.kind == EventKind::failed ? WhyRefused::failed : WhyRefused::pending);

    case Action::forward: return after_forward(event.kind);
    case Action::ask_answer:
      return end(event.kind == EventKind::cancelled ? Ending::cancelled : Ending::answered);
    case Action::refuse: return go(Action::done);
    case Action::done: break;
  }
  CHECK(!"a finished call was resumed");
  return Action::done;
}

std::string_view name(Action action) {
  switch (action) {
    case Action::judge: return "judge";
    case Action::record_decision: return "record_decision";
    case Action::hold: return "hold";
    case Action::judge_again: return "judge_again";
    case Action::record_release: return "record_release";
    case Action::record_expired: return "record_expired";
    case Action::record_withdrawn: return "record_withdrawn";
    case Action::record_detached: return "record_detached";
    case Action::forward: return "forward";
    case Action::ask_answer: return "ask_answer";
    case Action::record_outcome: return "record_outcome";
    case Action::refuse: return "refuse";
    case Action::done: return "done";
  }
  return "?";
}

std::string_view name(EventKind kind) {
  switch (kind) {
    case EventKind::begin: return "begin";
    case EventKind::judged: return "judged";
    case EventKind::recorded: return "recorded";
    case EventKind::conflict: return "conflict";
    case EventKind::failed: return "failed";
    case EventKind::allowed: return "allowed";
    case EventKind::denied: return "denied";
    case EventKind::expired: return "expired";
    case EventKind::client_limit: return "client_limit";
    case EventKind::cancelled: return "cancelled";
    case EventKind::answered: return "answered";
    case EventKind::answer_asks: return "answer_asks";
    case EventKind::peer_gone: return "peer_gone";
    case EventKind::told: return "told";
  }
  return "?";
}

}  // namespace proxy
