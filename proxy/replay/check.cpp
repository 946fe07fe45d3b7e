#include "proxy/replay/check.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "approvals/effects.hpp"
#include "policy/path/file_system.hpp"
#include "policy/path/recalled.hpp"
#include "proxy/mission/passed_calls.hpp"
#include "proxy/recorded/calls.hpp"
#include "proxy/replay/inputs.hpp"
#include "proxy/setup/open_ledger.hpp"

namespace proxy::replay {
namespace {

using ledger::Record;
using ledger::StoredRecord;
using ledger::Type;

// The first that differs.
std::string difference(const std::vector<approvals::ShownEffect>& then,
                       const std::vector<approvals::ShownEffect>& now) {
  for (std::size_t i = 0; i < std::min(then.size(), now.size()); ++i) {
    if (then[i] == now[i]) continue;
    const auto text = [](const approvals::ShownEffect& each) {
      return each.summary + " " + each.tier + " by " + (each.rule.empty() ? "the default" : each.rule);
    };
    const bool alike = text(then[i]) == text(now[i]);
    return "it was " + text(then[i]) +
           (alike ? ", and what is said of it differs" : ", and is " + text(now[i]));
  }
  return "it had " + std::to_string(then.size()) + " effects, and has " + std::to_string(now.size());
}

class Check {
 public:
  Check(const ledger::Reader& reader, const Surroundings& here, const MissionSpan& span)
      : reader_(reader), here_(here), span_(span), inputs_(reader, here, span) {}

  base::Result<std::vector<RemadeDecision>> carry_out() {
    if (const auto learnt = inputs_.learn(); !learnt) return learnt.error();
    std::vector<RemadeDecision> checked;
    base::Result<void> failed;
    const auto scanned = each_recorded_decision(
        reader_, span_.id, [&](const StoredRecord& stored, RecordedCall call, const std::string& why) {
          if (!span_.holds(stored.record) || !failed) return;
          RemadeDecision one{stored.record.sequence,
                             stored.record.server + "/" + stored.record.capability->tool, Verdict::unknown,
                             why};
          if (stored.record.capability->tool.empty()) one.call += stored.record.capability->method;
          if (why.empty()) failed = judge(stored, std::move(call), one);
          checked.push_back(std::move(one));
        });
    if (!scanned) return scanned.error();
    if (!failed) return failed.error();
    return checked;
  }

 private:
  // What passed before, as far as it had been read then. Time is that of the record, a little later.
  base::Result<policy::History> history_of(const Record& decision, const policy::Policy& policy) const {
    const std::string to = decision.detail("history_to");
    if (policy.tallies().empty() || to.empty()) return policy::History();
    PassedCalls passed(span_.id, policy.tallies());
    if (number_in(to) < span_.first) return policy::History();
    const auto scanned =
        reader_.scan(span_.first, number_in(to) + 1 - span_.first, [&](const StoredRecord& stored) {
          passed.apply(stored.record);
          return true;
        });
    if (!scanned) return scanned.error();
    passed.history().set_now(decision.time);
    return passed.history();
  }

  base::Result<void> judge(const StoredRecord& stored, RecordedCall call, RemadeDecision& one) {
    const Record& record = stored.record;
    const Inputs::Loaded& loaded = inputs_.policy_of(record, call);
    one.why = loaded.why;
    if (!loaded.policy) return {};
    const auto seen = inputs_.seen_of(stored, one.why);
    if (!seen) return seen.error();
    const auto history = history_of(record, *loaded.policy);
    if (!history) return history.error();
    const std::string home = inputs_.home_of(call);
    const auto grants = inputs_.grants_of(record, {call.where.workspace, home}, one.why);
    if (!grants) return grants.error();
    const auto payload = reader_.payload(stored, "effects");
    if (!payload) return payload.error();
    const auto then =
        *payload
            ? approvals::effects_from_payload(**payload)
            : base::Result<std::vector<approvals::ShownEffect>>(base::Error(base::Code::not_found, "gone"));
    if (!then) one.why = "its effects are not on record";
    if (!one.why.empty()) return {};

    const policy::Recalled recalled(**seen, files_, policy::AskToday::texts);
    call.call.host_user = call.where.user.empty() ? here_.user : call.where.user;
    const policy::Scene scene{call.where.workspace, call.where.directory, home, call.call.host_user,
                              &recalled};
    policy::Decision now = loaded.policy->judge(call.call, scene, *history);
    if (now.tier == policy::Tier::ask && !grants->empty())
      if (auto granted = loaded.policy->judge_granted(call.call, scene, *history, *grants))
        now = std::move(*granted);
    compare(record, *then, now, recalled, one);
    return {};
  }

  void compare(const Record& record, const std::vector<approvals::ShownEffect>& then,
               const policy::Decision& now, const policy::Recalled& recalled, RemadeDecision& one) const {
    std::string tier = policy::name(now.tier);
    if (inputs_.was_unattended(record.sequence) && now.tier == policy::Tier::ask)
      tier = policy::name(policy::Tier::deny);
    const auto effects = approvals::effects_from_payload(approvals::effects_payload(now));
    const bool same = tier == record.decision && effects && *effects == then;
    if (recalled.missing()) {
      one.why = "what stood at " + *recalled.missing() + " is not on record";
      return;
    }
    one.verdict = same ? Verdict::same : Verdict::different;
    if (same) return;
    one.why = tier == record.decision ? "" : "it was " + record.decision + ", and is " + tier + "; ";
    if (effects) one.why += difference(then, *effects);
    uncertain(record, one);
  }

  // What else than a wrong record may make it differ.
  void uncertain(const Record& record, RemadeDecision& one) const {
    const std::string& by = inputs_.engine_of(record);
    std::string because;
    if (by != engine())
      because = "another callgate judged it (" + (by.empty() ? "not said which" : by) + ")";
    else if (record.detail("history").find("under-way") != std::string::npos)
      because = "calls counted that were not on record yet";
    if (because.empty()) return;
    one.verdict = Verdict::unknown;
    one.why = because + "; " + one.why;
  }

  const ledger::Reader& reader_;
  const Surroundings& here_;
  const MissionSpan& span_;
  const policy::FileSystem files_;
  Inputs inputs_;
};

}  // namespace

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::same: return "SAME";
    case Verdict::different: return "DIFFERENT";
    case Verdict::unknown: break;
  }
  return "UNKNOWN";
}

base::Result<std::vector<RemadeDecision>> check_mission(const ledger::Reader& reader,
                                                        const Surroundings& here, const MissionSpan& span) {
  return Check(reader, here, span).carry_out();
}

}  // namespace proxy::replay
