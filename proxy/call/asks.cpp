// What the gate does for a call that must be asked for: opens or joins its ask, waits, and closes or leaves
// it.

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <utility>

#include "approvals/asks.hpp"
#include "approvals/clients.hpp"
#include "policy/load/built_in.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"
#include "proxy/call/answers.hpp"
#include "proxy/call/gate.hpp"
#include "proxy/call/passage.hpp"
#include "proxy/call/records.hpp"

namespace proxy {

namespace asio = boost::asio;
using ledger::Append;
using ledger::Written;

namespace {

// An operator's words as the agent gets them.
constexpr std::size_t rationale_shown_bytes_max = 2000;
// Remembered of those whose agent was told to come back; others are listed until their time is over.
constexpr std::size_t detached_max = 1000;

base::Digest whichever_policy(const transports::Message& message) {
  const auto arguments = base::json::parse(message.at(judged_part(message)));
  return base::sha256({message.method, "\n", tool_of(message), "\n",
                       arguments ? base::json::canonical(*arguments) : std::string(), "\n", message.beside});
}

// Whether the ask stands after a wait that ended so, and for those that waited alone: it is theirs to end.
bool still_theirs(approvals::Fate fate) {
  switch (fate) {
    case approvals::Fate::unreadable:
    case approvals::Fate::overtaken:
    case approvals::Fate::cancelled:
    case approvals::Fate::allowed: return true;  // until it is released
    case approvals::Fate::client_limit:          // an agent is told to come back to it
    case approvals::Fate::denied:
    case approvals::Fate::expired:
    case approvals::Fate::withdrawn:
    case approvals::Fate::taken: return false;
  }
  return true;
}

}  // namespace

// A decision of ASK joins the ask that stands for the same call, else it opens one.
asio::awaitable<void> CallGate::place_ask(Passage& passage, Append& records) {
  const ledger::Fold fold = parts_.writer->state();
  // An ask that no process waits on any more, and whose time has passed, is closed by whoever meets it.
  for (const ledger::Ask& over : approvals::overdue(fold, base::wall_now())) {
    Written closed;
    const approvals::AskAt at{{over.decision, over.leaf}, over.mission, over.server, 0};
    co_await append(approvals::expired(at), closed);  // no braces here: tests/coroutines.sh
  }
  const ledger::Ask* standing =
      approvals::standing_ask(fold, parts_.mission.id(), passage.judgement.digests, base::wall_now());
  passage.joined = standing != nullptr;
  passage.ask = {
      .ask = {}, .mission = parts_.mission.id(), .server = parts_.server, .call = passage.call.number};
  if (passage.joined) {
    passage.ask.ask = {standing->decision, standing->leaf};
    passage.expires = standing->expires;
    join_ask(records, passage.at, *standing);
  } else {
    // Of an answer nobody is told to come back for it: its time ends with the client's.
    const std::chrono::milliseconds patience = parts_.config.ask_timeout;
    const auto time = passage.answer_to == nullptr ? patience : std::min(patience, client_limit(passage));
    passage.expires = (base::wall_now() + time).time_since_epoch().count();
    open_ask(records, agent_, passage.judgement, passage.at, passage.expires);
  }
}

// Expired or detached: the ask goes its own way now. A joined call's decision is closed by itself.
asio::awaitable<Event> CallGate::close_ask(Passage& passage, Append record) {
  Written written;
  const Event event = co_await append(std::move(record), written);
  passage.asked = false;
  if (passage.joined) record_outcome(passage, Ending::cancelled);
  co_return event;
}

// The call waits on its ask no longer, and is not released by it. The ask ends with the last call that waits
// on it, unless an agent was told to come back to it; the decision of a call that leaves others waiting, or
// that joined, gets an outcome of its own.
asio::awaitable<void> CallGate::leave_ask(Passage& passage) {
  if (!std::exchange(passage.asked, false)) co_return;
  const std::uint64_t ask = passage.ask.ask.sequence;
  if (!passage.joined) ownerless_.insert(ask);
  const bool last = !waiting_.contains(ask) && ownerless_.contains(ask) && !detached_.contains(ask);
  if (passage.joined || !last) record_outcome(passage, Ending::cancelled);
  if (!last) co_return;
  ownerless_.erase(ask);
  Written written;
  const auto cause =
      passage.call.flow.cancelled() ? approvals::Withdrawal::cancelled : approvals::Withdrawal::closed;
  co_await append(approvals::withdrawn(passage.ask, cause), written);
}

std::chrono::milliseconds CallGate::client_limit(const Passage& passage) const {
  // The server as requester of sampling or elicitation is no known client: it waits as an unknown one.
  if (passage.answer_to != nullptr) {
    // Progress of ours might not rise above the server's, which it has sent.
    const auto waited = std::chrono::steady_clock::now() - passage.answer_to->call.forwarded_at;
    const auto limit = approvals::hold_limit(agent_.name, false, parts_.config.client_limits) -
                       std::chrono::duration_cast<std::chrono::milliseconds>(waited);
    return std::max(limit, std::chrono::milliseconds(0));
  }
  const bool from_agent = passage.call.direction == Direction::to_server;
  return approvals::hold_limit(from_agent ? agent_.name : "", !passage.call.message.progress_token.empty(),
                               parts_.config.client_limits);
}

// Of a call that is held: whether a policy that has changed meanwhile denies it. What it allows is still for
// a person to say, and a file that cannot be read, as while it is being written, is no answer.
bool CallGate::denied_by_now(Passage& passage) {
  parts_.mission.refresh();
  const base::Digest now = policy().digest();
  if (now == passage.looked_at.value_or(passage.at.standing.policy)) return false;
  passage.looked_at = now;
  if (passage.answer_to != nullptr) return check_arrived(*passage.answer_to).withheld;
  const auto described = describe(passage.call.message);
  if (!described) return false;
  const policy::Decision decision = policy().judge(*described, parts_.scene, before(passage));
  const policy::Reason* reason = policy::deciding(decision);
  return decision.tier == policy::Tier::deny && reason != nullptr && !policy::is_unreadable(*reason);
}

// Whether a grant that was given meanwhile covers a call that is held.
bool CallGate::granted_by_now(Passage& passage) {
  LiveGrants* live = parts_.mission.grants();
  if (live == nullptr || passage.answer_to != nullptr) return false;
  const std::uint64_t newest = live->newest();
  if (newest <= passage.grants_seen) return false;
  passage.grants_seen = newest;
  const auto described = describe(passage.call.message);
  if (!described) return false;
  const Judgement& judgement = passage.judgement;
  const auto grants = live->standing(judgement.digests, judgement.offer.same, parts_.log);
  return policy().judge_granted(*described, parts_.scene, before(passage), grants).has_value();
}

void CallGate::remember_detached(const Passage& passage) {
  if (detached_.size() >= detached_max) detached_.erase(detached_.begin());
  detached_[passage.ask.ask.sequence] = {passage.ask, whichever_policy(passage.call.message)};
}

// The agent has come back with a call, and it was decided otherwise than by waiting on the ask of before: by
// a grant, or by another policy. Nobody is asked for that one any more.
asio::awaitable<void> CallGate::close_superseded(const Passage& passage) {
  if (detached_.empty() || passage.answer_to != nullptr) co_return;
  const base::Digest call = whichever_policy(passage.call.message);
  for (auto each = detached_.begin(); each != detached_.end();) {
    const bool own = passage.joined && each->first == passage.ask.ask.sequence;
    if (own || each->second.call != call) {
      ++each;
      continue;
    }
    Append record = approvals::withdrawn(each->second.ask, approvals::Withdrawal::closed);
    each = detached_.erase(each);
    Written written;
    co_await append(std::move(record), written);
    // Other calls may have come and gone meanwhile.
    each = detached_.begin();
  }
}

asio::awaitable<Event> CallGate::hold(Passage& passage) {
  const Call& call = passage.call;
  if (call.flow.cancelled() || call.requester_gone) co_return Event{EventKind::cancelled};
  if (call.peer_gone) co_return Event{EventKind::peer_gone};
  const approvals::Resolution resolution = co_await wait_for_answer(passage);
  switch (resolution.fate) {
    case approvals::Fate::allowed:
      passage.answer_record = resolution.answer->record.sequence;
      co_return Event{EventKind::allowed};
    case approvals::Fate::denied:
      passage.because = base::bounded(resolution.rationale, rationale_shown_bytes_max);
      co_return Event{EventKind::denied};
    case approvals::Fate::expired: co_return Event{EventKind::expired};
    case approvals::Fate::client_limit:
      co_return Event{passage.answer_to == nullptr ? EventKind::client_limit : EventKind::expired};
    case approvals::Fate::withdrawn:
    case approvals::Fate::overtaken:
    case approvals::Fate::taken: co_return Event{EventKind::conflict};
    case approvals::Fate::cancelled:
      co_return Event{call.peer_gone ? EventKind::peer_gone : EventKind::cancelled};
    case approvals::Fate::unreadable: break;
  }
  parts_.log("a held call ends unapproved: " + resolution.why);
  co_return Event{EventKind::failed};
}

asio::awaitable<approvals::Resolution> CallGate::wait_for_answer(Passage& passage) {
  Call& call = passage.call;
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
  auto overtaken = [this, &passage] { return denied_by_now(passage) || granted_by_now(passage); };
  approvals::Held held(parts_.watch, terms, send_progress, overtaken);
  call.interrupt = [&held] { held.cancel(); };
  const std::uint64_t ask = passage.ask.ask.sequence;
  ++waiting_[ask];
  approvals::Resolution resolution = co_await held.wait();
  if (--waiting_[ask] == 0) waiting_.erase(ask);
  if (!still_theirs(resolution.fate)) ownerless_.erase(ask);
  call.interrupt = nullptr;
  co_return resolution;
}

}  // namespace proxy
