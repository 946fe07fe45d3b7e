#include "approvals/asks.hpp"

#include <utility>

#include "proxy/base/sha256.hpp"

namespace approvals {
namespace {

using Kind = ledger::Precondition::Kind;

ledger::Precondition mission_active(const std::string& mission) {
  return {.kind = Kind::mission_active, .mission = mission, .sequence = 0, .digest = {}};
}

ledger::Precondition policy_is(const Standing& standing) {
  return {.kind = Kind::policy_is, .mission = standing.mission, .sequence = 0, .digest = standing.policy};
}

ledger::Precondition about(Kind kind, const std::string& mission, std::uint64_t ask) {
  return {.kind = kind, .mission = mission, .sequence = ask, .digest = {}};
}

ledger::Append one(const AskAt& at, ledger::Type type, Kind kind) {
  ledger::Append append;
  ledger::Draft draft;
  draft.record.type = type;
  draft.record.mission = at.mission;
  draft.record.server = at.server;
  draft.record.call = at.call;
  draft.record.answers = at.ask;
  append.drafts.push_back(std::move(draft));
  append.preconditions.push_back(about(kind, at.mission, at.ask.sequence));
  return append;
}

std::int64_t nanoseconds(base::WallTime time) { return time.time_since_epoch().count(); }

}  // namespace

std::vector<ledger::Precondition> opening(const Standing& standing, const base::Digest& call) {
  return {mission_active(standing.mission),
          policy_is(standing),
          {.kind = Kind::no_ask_for_call, .mission = standing.mission, .sequence = 0, .digest = call}};
}

std::vector<ledger::Precondition> joining(const Standing& standing, std::uint64_t ask) {
  return {mission_active(standing.mission), policy_is(standing),
          about(Kind::ask_not_final, standing.mission, ask)};
}

ledger::Append detached(const AskAt& at, std::chrono::milliseconds limit, const base::Digest& repeat) {
  ledger::Append append = one(at, ledger::Type::detached, Kind::ask_unanswered);
  append.drafts.front().record.details = {{"limit", std::to_string(limit.count())},
                                          {"repeat", base::hex(repeat)}};
  return append;
}

ledger::Append expired(const AskAt& at) { return one(at, ledger::Type::expired, Kind::ask_not_final); }

ledger::Append withdrawn(const AskAt& at, Withdrawal cause) {
  ledger::Append append = one(at, ledger::Type::withdrawn, Kind::ask_not_final);
  append.drafts.front().record.details["cause"] = cause == Withdrawal::cancelled ? "cancelled" : "closed";
  return append;
}

ledger::Append released(const AskAt& at, std::uint64_t answer, const Standing& standing) {
  ledger::Append append = one(at, ledger::Type::released, Kind::ask_allowed);
  append.drafts.front().record.details["answer"] = std::to_string(answer);
  append.preconditions.push_back(mission_active(standing.mission));
  append.preconditions.push_back(policy_is(standing));
  return append;
}

const ledger::Ask* standing_ask(const ledger::Fold& fold, const std::string& mission, const CallDigests& call,
                                base::WallTime now) {
  const ledger::Ask* found = nullptr;
  for (const auto& [sequence, ask] : fold.asks()) {
    if (ask.mission != mission || ask.expires <= nanoseconds(now)) continue;
    if (ask.call != call.exact && ask.repeat != call.repeat) continue;
    switch (ask.state) {
      case ledger::AskState::open:
      case ledger::AskState::detached:
      case ledger::AskState::allowed:
      case ledger::AskState::denied: found = &ask; break;  // the newest wins
      case ledger::AskState::expired:
      case ledger::AskState::withdrawn:
      case ledger::AskState::released: break;
    }
  }
  return found;
}

std::vector<ledger::Ask> overdue(const ledger::Fold& fold, base::WallTime now) {
  std::vector<ledger::Ask> found;
  for (const auto& [sequence, ask] : fold.asks())
    if (ask.expires <= nanoseconds(now) && (ask.detached() || ask.answer != 0)) found.push_back(ask);
  return found;
}

}  // namespace approvals
