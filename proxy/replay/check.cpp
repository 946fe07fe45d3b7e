#include "proxy/replay/check.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "approvals/effects.hpp"
#include "approvals/grant.hpp"
#include "policy/grant.hpp"
#include "policy/load/built_in.hpp"
#include "policy/path/file_system.hpp"
#include "policy/path/recalled.hpp"
#include "proxy/mission/in_force.hpp"
#include "proxy/mission/passed_calls.hpp"
#include "proxy/recorded/calls.hpp"
#include "proxy/setup/open_ledger.hpp"

namespace proxy::replay {
namespace {

using ledger::Record;
using ledger::StoredRecord;
using ledger::Type;

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

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
      : reader_(reader), here_(here), span_(span) {}

  base::Result<std::vector<RemadeDecision>> carry_out() {
    if (const auto learnt = learn(); !learnt) return learnt.error();
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
  struct Loaded {
    std::optional<policy::Policy> policy;
    std::string why;
  };

  // Policies of each writer, and what judged.
  base::Result<void> learn() {
    return reader_.scan(0, ~std::uint64_t{0}, [&](const StoredRecord& stored) {
      const Record& record = stored.record;
      const bool policy = record.type == Type::policy_loaded || record.type == Type::policy_changed;
      if (record.type == Type::writer_start) engines_[record.writer] = record.detail("engine");
      if (policy && record.policy && span_.holds(record))
        policies_.try_emplace({record.writer, *record.policy}, stored);
      if (record.type == Type::violation && record.violation && record.answers &&
          record.violation->kind == "unattended")
        unattended_.push_back(record.answers->sequence);
      return true;
    });
  }

  const Loaded& policy_of(const Record& decision, const RecordedCall& call) {
    const std::pair key(decision.writer, decision.policy.value_or(base::Digest{}));
    const auto [found, fresh] = loaded_.try_emplace(key);
    if (!fresh) return found->second;
    const auto stored = policies_.find(key);
    if (stored == policies_.end()) {
      found->second.why = "its policy is not on record";
      return found->second;
    }
    Surroundings there = here_;
    there.workspace = call.where.workspace;
    if (!call.where.home.empty()) there.home = call.where.home;
    auto policy = policy_on_record(reader_, stored->second, there,
                                   {policy::built_in_folders({here_.config_folder}, {here_.state_folder})});
    if (!policy)
      found->second.why = "its policy cannot be loaded again: " + policy.error().text();
    else if (policy->digest() != key.second)
      found->second.why = stored->second.record.detail("unreadable").empty()
                              ? "its policy is not that of the record here: what is built in, or callgate's "
                                "folders, are others"
                              : "its policy could not be read then";
    else
      found->second.policy = std::move(*policy);
    return found->second;
  }

  // What passed before, as far as it had been read then. Time is that of the record, a little later.
  base::Result<policy::History> history_of(const Record& decision, const policy::Policy& policy) const {
    const std::string to = decision.detail("history_to");
    if (policy.tallies().empty() || to.empty()) return policy::History();
    PassedCalls passed(span_.id, policy.tallies());
    if (number(to) < span_.first) return policy::History();
    const auto scanned =
        reader_.scan(span_.first, number(to) + 1 - span_.first, [&](const StoredRecord& stored) {
          passed.apply(stored.record);
          return true;
        });
    if (!scanned) return scanned.error();
    passed.history().set_now(decision.time);
    return passed.history();
  }

  base::Result<std::vector<policy::Grant>> grants_of(const Record& decision, const policy::Anchors& anchors,
                                                     std::string& why) const {
    std::vector<policy::Grant> grants;
    for (const std::string& each : tallies_from_text(decision.detail("grants"))) {
      const auto stored = reader_.record(number(each));
      if (!stored) return stored.error();
      const auto payload = *stored ? reader_.payload(**stored, "rule") : std::nullopt;
      const auto text = payload && *payload ? approvals::rule_of((*stored)->record, **payload) : std::nullopt;
      auto rule = text ? policy::load_grant("grant " + each, *text, anchors)
                       : base::Result<policy::Rule>(base::Error(base::Code::not_found, "gone"));
      if (!rule)
        why = "grant " + each + " is not on record whole";
      else
        grants.push_back({number(each), std::make_shared<const policy::Rule>(std::move(*rule))});
    }
    std::sort(grants.begin(), grants.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return grants;
  }

  base::Result<std::optional<policy::Seen>> seen_of(const StoredRecord& stored, std::string& why) const {
    const auto& payloads = stored.record.payloads;
    if (std::none_of(payloads.begin(), payloads.end(), [](const auto& each) { return each.slot == "seen"; }))
      return std::optional(policy::Seen());
    const auto payload = reader_.payload(stored, "seen");
    if (!payload) return payload.error();
    auto seen = *payload ? policy::seen_from_payload(**payload)
                         : base::Result<policy::Seen>(base::Error(base::Code::not_found, "gone"));
    if (seen) return std::optional(std::move(*seen));
    why = *payload ? seen.error().text() : "what was seen of the file system is gone";
    return std::optional<policy::Seen>();
  }

  base::Result<void> judge(const StoredRecord& stored, RecordedCall call, RemadeDecision& one) {
    const Record& record = stored.record;
    const Loaded& loaded = policy_of(record, call);
    one.why = loaded.why;
    if (!loaded.policy) return {};
    const auto seen = seen_of(stored, one.why);
    if (!seen) return seen.error();
    const auto history = history_of(record, *loaded.policy);
    if (!history) return history.error();
    const std::string home = call.where.home.empty() ? here_.home : call.where.home;
    const auto grants = grants_of(record, {call.where.workspace, home}, one.why);
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
    const bool unattended =
        std::find(unattended_.begin(), unattended_.end(), record.sequence) != unattended_.end();
    if (unattended && now.tier == policy::Tier::ask) tier = policy::name(policy::Tier::deny);
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
    const auto judged = engines_.find(record.writer);
    const std::string by = judged == engines_.end() ? std::string() : judged->second;
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
  std::map<std::string, std::string> engines_;                             // by writer
  std::map<std::pair<std::string, base::Digest>, StoredRecord> policies_;  // by writer and digest
  std::map<std::pair<std::string, base::Digest>, Loaded> loaded_;
  std::vector<std::uint64_t> unattended_;  // decisions that are denied since nobody is there
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
