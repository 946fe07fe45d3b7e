#pragma once
// The order of one call, as a state machine without I/O. Read this first.
//
// The gate (gate.hpp) carries out each Action and comes back with the Event that it ended in:
//
//   begin ─ judge ─ record_decision ─┬─ ALLOW ────────────────────────────┬─ forward ─ record_outcome ─ done
//             ▲          │           ├─ ASK ─ hold ─ judge_again ─ release ┘
//             │          │           └─ DENY ─ refuse ─ done
//             └ conflict ┘ (somebody changed the state first: judged again, at most `conflicts_max` times)
//
// Where a rule asks for what came back, `ask_answer` stands between forward and record_outcome: the answer
// goes the same way as a call of its own, and `forward` passes it on.
//
// What always holds: nothing is forwarded before its decision is on record; nothing an operator must approve
// is forwarded before `released`, which claims the approval once, is on record; any failure ends in fail,
// never in forward.

#include <string_view>

#include "policy/decision.hpp"

namespace proxy {

// What the gate must do next.
enum class Action {
  judge,            // describe and decide, with the world as it is now
  record_decision,  // decision, and the violation of a DENY; an ASK that meets an identical one joins it
  hold,             // wait for the operator
  judge_again,      // the approved bytes, with the world as it is now
  record_release,   // claim the approval
  record_expired,
  record_withdrawn,
  record_detached,
  forward,         // the exact bytes; then wait for the answer
  ask_answer,      // a person says whether the answer is passed on; the requester is told either way
  record_outcome,  // with the next batch; nothing waits for it
  refuse,          // tell the requester why: why_refused()
  done,
};

enum class EventKind {
  begin,
  judged,    // by judge and judge_again
  recorded,  // by every record_… action
  conflict,  // a precondition failed, nothing was written; by hold: the ask is gone, somebody else used or
             // ended it
  failed,    // the step could not be done: ledger, disk, our own limits
  allowed,   // by hold: a genuine answer of the operator
  denied,
  expired,       // by hold: nobody answered in time
  client_limit,  // by hold: the client is about to give up
  cancelled,     // by hold, forward and ask_answer: the requester cancelled or is gone
  answered,      // by forward and ask_answer: the answer has been passed on, or an error in its place
  answer_asks,   // by forward: it is here, and has not been passed on
  peer_gone,     // by hold and forward: the other side cannot answer any more
  told,          // by refuse
};

struct Event {
  EventKind kind = EventKind::failed;
  policy::Tier tier = policy::Tier::deny;  // judged
  bool same_effects = false;  // judged, after judge_again: nothing changed since the operator was asked
};

// What the requester is told (refusal_text.hpp).
enum class WhyRefused {
  none,
  denied,  // by a rule or the default
  by_operator,
  timed_out,  // nobody answered; nobody refused
  pending,    // not executed; still open; repeat the same call later
  failed,     // callgate could not decide or record
  peer_gone,  // no answer will come
};

// How the call ended, for the outcome record.
enum class Ending { none, answered, refused, cancelled, peer_gone };

class CallFlow {
 public:
  static constexpr int conflicts_max = 8;

  Action resume(const Event& event);
  // The requester cancelled while a step that cannot be interrupted is under way.
  void cancel() { cancelled_ = true; }
  bool cancelled() const { return cancelled_; }

  policy::Tier tier() const { return tier_; }
  WhyRefused why_refused() const { return why_refused_; }
  Ending ending() const { return ending_; }

 private:
  Action go(Action action);
  Action refuse(WhyRefused why);
  Action end(Ending ending);
  Action after_decision();
  Action after_conflict();
  Action after_hold(EventKind kind);
  Action after_forward(EventKind kind);

  Action action_ = Action::done;  // under way
  bool started_ = false;
  bool cancelled_ = false;
  int conflicts_ = 0;
  policy::Tier tier_ = policy::Tier::deny;
  WhyRefused why_refused_ = WhyRefused::none;
  Ending ending_ = Ending::none;
};

std::string_view name(Action action);
std::string_view name(EventKind kind);

}  // namespace proxy
