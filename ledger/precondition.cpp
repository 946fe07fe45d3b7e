#include "ledger/fold.hpp"
#include "proxy/base/text.hpp"

namespace ledger {
namespace {

std::optional<std::string> failing_mission(const Precondition& wanted, const Fold& fold) {
  const Mission* mission = fold.mission(wanted.mission);
  if (mission == nullptr) return "there is no mission " + base::quoted(wanted.mission);
  if (wanted.kind == Precondition::Kind::policy_is) {
    if (!mission->judges_by(wanted.digest))
      return "another policy is in force for mission " + base::quoted(wanted.mission);
  } else if (mission->state != MissionState::active) {
    return "mission " + base::quoted(wanted.mission) + " is " + name(mission->state);
  }
  return std::nullopt;
}

std::optional<std::string> failing_ask(const Precondition& wanted, const Fold& fold, std::int64_t now) {
  const std::string id = std::to_string(wanted.sequence);
  const Ask* ask = fold.ask(wanted.sequence);
  if (ask == nullptr) return "ask " + id + " does not stand any more";
  if (wanted.kind == Precondition::Kind::ask_not_final) return std::nullopt;
  const bool unanswered = ask->state == AskState::open || ask->state == AskState::detached;
  const bool fits =
      wanted.kind == Precondition::Kind::ask_unanswered ? unanswered : ask->state == AskState::allowed;
  if (!fits) return "ask " + id + " is " + name(ask->state);
  if (now >= ask->expires) return "ask " + id + " has expired";
  return std::nullopt;
}

std::optional<std::string> failing_call(const Precondition& wanted, const Fold& fold) {
  for (const auto& [id, ask] : fold.asks())
    if (ask.mission == wanted.mission && ask.call == wanted.digest && ask.state != AskState::denied)
      return "ask " + std::to_string(id) + " stands for the same call";
  return std::nullopt;
}

std::optional<std::string> failing_grant(const Precondition& wanted, const Fold& fold, std::int64_t now) {
  const std::string id = std::to_string(wanted.sequence);
  const auto found = fold.grants().find(wanted.sequence);
  if (found == fold.grants().end() || found->second.mission != wanted.mission)
    return "grant " + id + " does not stand any more";
  if (now >= found->second.expires) return "grant " + id + " has expired";
  return std::nullopt;
}

std::optional<std::string> failing_one(const Precondition& wanted, const Fold& fold, std::int64_t now) {
  switch (wanted.kind) {
    case Precondition::Kind::mission_active:
    case Precondition::Kind::policy_is: return failing_mission(wanted, fold);
    case Precondition::Kind::no_mission_with_key:
      if (const Mission* mission = fold.mission_by_key(wanted.digest))
        return "mission " + base::quoted(mission->id) + " has this key";
      return std::nullopt;
    case Precondition::Kind::ask_unanswered:
    case Precondition::Kind::ask_allowed:
    case Precondition::Kind::ask_not_final: return failing_ask(wanted, fold, now);
    case Precondition::Kind::grant_stands: return failing_grant(wanted, fold, now);
    case Precondition::Kind::no_ask_for_call: return failing_call(wanted, fold);
  }
  return "an unknown precondition";
}

}  // namespace

std::optional<std::string> failing(const std::vector<Precondition>& preconditions, const Fold& fold,
                                   std::int64_t now) {
  for (const auto& wanted : preconditions)
    if (auto reason = failing_one(wanted, fold, now)) return reason;
  return std::nullopt;
}

}  // namespace ledger
