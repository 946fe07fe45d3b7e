#include "proxy/replay/what_if.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "policy/path/file_system.hpp"
#include "policy/path/recalled.hpp"
#include "proxy/recorded/history.hpp"
#include "proxy/replay/inputs.hpp"

namespace proxy::replay {
namespace {

using ledger::Record;
using ledger::StoredRecord;

policy::Tier tier_of(const std::string& decision) {
  if (decision == "ALLOW") return policy::Tier::allow;
  return decision == "ASK" ? policy::Tier::ask : policy::Tier::deny;
}

// The rule that decided, of a decision on record.
std::string rule_of(const Record& record, policy::Tier then) {
  if (const std::string grants = record.detail("grants"); !grants.empty()) return "grant " + grants;
  for (const ledger::Rule& rule : record.rules)
    if (rule.tier == policy::name(then)) return rule.id == "default" ? "" : rule.id;
  return {};
}

class Judging {
 public:
  Judging(const ledger::Reader& reader, const Surroundings& here, const MissionSpan& span,
          const policy::Source& file)
      : reader_(reader), here_(here), span_(span), file_(file), inputs_(reader, here, span) {}

  base::Result<WhatIf> carry_out() {
    if (const auto learnt = inputs_.learn(); !learnt) return learnt.error();
    base::Result<void> failed;
    auto left_out = each_recorded_call(
        reader_, span_.id,
        [&](RecordedCall call) {
          if (failed && call.sequence >= span_.first && call.sequence <= span_.last)
            failed = judge(std::move(call));
        },
        [&](const RecordedCall& call) {
          for (auto& [key, under] : under_) under.history.add_unknown(call);
        });
    if (!left_out) return left_out.error();
    if (!failed) return failed.error();
    for (const auto& [why, numbers] : *left_out)
      for (const std::uint64_t number : numbers)
        if (number >= span_.first && number <= span_.last) what_if_.unknown[why].push_back(number);
    return std::move(what_if_);
  }

 private:
  struct Under {
    policy::Policy policy;
    ReplayedHistory history;
  };

  void leave_out(std::uint64_t sequence, const std::string& why) {
    what_if_.unknown[why].push_back(sequence);
  }

  // The policy that decided, with the file in the place of its layer.
  base::Result<Under*> under(const policy::Policy& then, const RecordedCall& call) {
    const std::pair key(then.digest(), call.where.workspace);
    if (const auto known = under_.find(key); known != under_.end()) return &known->second;
    std::vector<policy::Source> sources;
    for (const policy::Source& each : then.sources())
      if (each.layer != file_.layer) sources.push_back(each);
    const auto place = std::find_if(sources.begin(), sources.end(),
                                    [&](const policy::Source& each) { return each.layer > file_.layer; });
    sources.insert(place, file_);
    auto policy = policy::Policy::load(sources, call.where.workspace, inputs_.home_of(call));
    if (!policy) return policy.error();
    ReplayedHistory history(policy->tallies());
    return &under_.emplace(key, Under{std::move(*policy), std::move(history)}).first->second;
  }

  base::Result<void> judge(RecordedCall call) {
    const auto stored = reader_.record(call.sequence);
    if (!stored) return stored.error();
    if (!*stored) return {};
    const Inputs::Loaded& loaded = inputs_.policy_of((*stored)->record, call);
    if (!loaded.policy) return leave_out(call.sequence, loaded.why), base::Result<void>();
    const auto here = under(*loaded.policy, call);
    if (!here) return here.error();
    std::string why;
    const auto seen = inputs_.seen_of(**stored, why);
    if (!seen) return seen.error();
    const auto grants =
        inputs_.grants_of((*stored)->record, {call.where.workspace, inputs_.home_of(call)}, why);
    if (!grants) return grants.error();
    const policy::Recalled recalled(seen->value_or(policy::Seen()), files_, policy::AskToday::all);
    call.call.host_user = call.where.user.empty() ? here_.user : call.where.user;
    const policy::Scene scene{call.where.workspace, call.where.directory, inputs_.home_of(call),
                              call.call.host_user, &recalled};
    const policy::History& history = (*here)->history.before(call);
    policy::Decision now = (*here)->policy.judge(call.call, scene, history);
    if (now.tier == policy::Tier::ask && !grants->empty())
      if (auto granted = (*here)->policy.judge_granted(call.call, scene, history, *grants))
        now = std::move(*granted);
    note((*stored)->record, call, now, recalled.missing());
    (*here)->history.add(call, now.tallies);
    for (auto& [key, other] : under_)
      if (&other != *here) other.history.add_unknown(call);
    return {};
  }

  void note(const Record& record, const RecordedCall& call, const policy::Decision& now,
            const std::optional<std::string>& missing) {
    WhatIf::Call noted;
    noted.sequence = call.sequence;
    noted.name = call.name();
    // Nobody was there to be asked: the rule said ASK.
    noted.then = inputs_.was_unattended(call.sequence) ? policy::Tier::ask : tier_of(record.decision);
    noted.now = now.tier;
    noted.then_by = rule_of(record, noted.then);
    if (const policy::Reason* reason = policy::deciding(now)) {
      noted.now_by = reason->rule;
      noted.now_place = reason->place;
      noted.effect = policy::summary(now.effects[reason->effect]);
    }
    noted.hypothetical = std::exchange(changed_, changed_ || noted.changed());
    noted.asked_today = missing.value_or("");
    what_if_.calls.push_back(std::move(noted));
  }

  const ledger::Reader& reader_;
  const Surroundings& here_;
  const MissionSpan& span_;
  const policy::Source& file_;
  const policy::FileSystem files_;
  Inputs inputs_;
  std::map<std::pair<base::Digest, std::string>, Under>
      under_;  // by the policy that decided, and the workspace
  WhatIf what_if_;
  bool changed_ = false;
};

}  // namespace

bool WhatIf::loosened() const {
  return std::any_of(calls.begin(), calls.end(), [](const Call& each) { return each.loosened(); });
}

base::Result<WhatIf> judge_under(const ledger::Reader& reader, const Surroundings& here,
                                 const MissionSpan& span, const policy::Source& file) {
  return Judging(reader, here, span, file).carry_out();
}

}  // namespace proxy::replay
