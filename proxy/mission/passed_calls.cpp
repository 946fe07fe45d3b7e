#include "proxy/mission/passed_calls.hpp"

#include <charconv>

#include "policy/effect.hpp"

namespace proxy {
namespace {

using ledger::Record;
using ledger::Type;
using policy::TallyKind;

std::uint64_t number(const std::string& text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::string tallies_text(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) text += (text.empty() ? "" : " ") + id;
  return text;
}

std::set<std::string> tallies_from_text(std::string_view text) {
  std::set<std::string> ids;
  while (!text.empty()) {
    const std::string_view id = text.substr(0, text.find(' '));
    if (!id.empty()) ids.emplace(id);
    text.remove_prefix(std::min(text.size(), id.size() + 1));
  }
  return ids;
}

unsigned effect_bits(const std::vector<std::string>& kinds) {
  using policy::EffectKind;
  unsigned bits = 0;
  for (const EffectKind kind : {EffectKind::use, EffectKind::read, EffectKind::write, EffectKind::remove,
                                EffectKind::run, EffectKind::connect, EffectKind::sample, EffectKind::elicit})
    for (const std::string& each : kinds)
      if (each == policy::name(kind)) bits |= 1u << static_cast<unsigned>(kind);
  return bits;
}

PassedCalls::PassedCalls(std::string mission, std::vector<policy::Tally> tallies)
    : mission_(std::move(mission)), tallies_(std::move(tallies)), history_(policy::History::empty()) {}

void PassedCalls::apply(const Record& record) {
  if (record.mission != mission_) return;
  const std::uint64_t answers = record.answers ? record.answers->sequence : 0;
  // No switch over all types: most have nothing to do with calls.
  if ((record.type == Type::policy_loaded || record.type == Type::policy_changed) && record.policy) {
    policies_[*record.policy] = tallies_from_text(record.detail("tallies"));
  } else if (record.type == Type::decision) {
    decide(record);
  } else if (record.type == Type::released) {
    if (const auto ask = asks_.extract(answers)) pass(answers, record.time, ask.mapped());
  } else if (record.type == Type::expired || record.type == Type::withdrawn) {
    asks_.erase(answers);
  } else if (record.type == Type::outcome) {
    end(record);
  }
}

// A policy that does not keep a tally says nothing of it, unless it is of a rate: then the rule is not its
// own, and has allowed nothing.
PassedCalls::Adds PassedCalls::adds_of(const Record& decision) const {
  Adds adds;
  const std::set<std::string> met = tallies_from_text(decision.detail("tallies"));
  const auto policy = decision.policy ? policies_.find(*decision.policy) : policies_.end();
  const bool known = policy != policies_.end();
  const unsigned bits = decision.capability ? effect_bits(decision.capability->effects) : ~0u;
  for (std::size_t i = 0; i < tallies_.size(); ++i) {
    const policy::Tally& tally = tallies_[i];
    if (met.contains(tally.id)) {
      adds.tallies.emplace_back(i, true);
    } else if (tally.kind != TallyKind::certain && (bits & tally.kinds) != 0 &&
               !(known && (policy->second.contains(tally.id) || tally.kind == TallyKind::rate))) {
      adds.tallies.emplace_back(i, false);
    }
  }
  return adds;
}

void PassedCalls::decide(const Record& decision) {
  if (decision.decision == "DENY") return;
  if (const std::string joins = decision.detail("joins"); !joins.empty()) {
    joined_[decision.sequence] = number(joins);
    return;
  }
  Adds adds = adds_of(decision);
  if (adds.tallies.empty()) return;
  if (decision.decision == "ALLOW")
    pass(decision.sequence, decision.time, adds);
  else
    asks_[decision.sequence] = std::move(adds);
}

void PassedCalls::pass(std::uint64_t decision, std::int64_t time, const Adds& adds) {
  bool waits = false;
  for (const auto& [index, certain] : adds.tallies) {
    if (tallies_[index].kind == TallyKind::certain)
      waits = true;
    else
      history_.add(tallies_[index], {decision, time, certain});
  }
  if (!waits) return;
  if (answered_.erase(decision) > 0)
    count_certain(decision, time, adds);
  else
    unanswered_[decision] = {time, adds};
}

void PassedCalls::count_certain(std::uint64_t decision, std::int64_t time, const Adds& adds) {
  for (const auto& [index, certain] : adds.tallies)
    if (tallies_[index].kind == TallyKind::certain && certain)
      history_.add(tallies_[index], {decision, time});
}

void PassedCalls::answered(std::uint64_t decision) {
  if (const auto passed = unanswered_.extract(decision))
    count_certain(decision, passed.mapped().first, passed.mapped().second);
  else
    answered_.insert(decision);
}

void PassedCalls::end(const Record& outcome) {
  std::uint64_t decision = outcome.answers ? outcome.answers->sequence : 0;
  if (const auto joined = joined_.extract(decision)) decision = joined.mapped();
  const bool good = outcome.outcome && outcome.outcome->status == "answered" && !outcome.outcome->is_error;
  if (good)
    answered(decision);
  else
    unanswered_.erase(decision);
  answered_.erase(decision);
}

}  // namespace proxy
