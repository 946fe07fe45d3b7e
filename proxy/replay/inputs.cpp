#include "proxy/replay/inputs.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "approvals/grant.hpp"
#include "policy/load/built_in.hpp"
#include "proxy/mission/in_force.hpp"
#include "proxy/mission/passed_calls.hpp"

namespace proxy::replay {

using ledger::Record;
using ledger::StoredRecord;
using ledger::Type;

std::uint64_t number_in(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

base::Result<void> Inputs::learn() {
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

const Inputs::Loaded& Inputs::policy_of(const Record& decision, const RecordedCall& call) {
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

base::Result<std::vector<policy::Grant>> Inputs::grants_of(const Record& decision,
                                                           const policy::Anchors& anchors,
                                                           std::string& why) const {
  std::vector<policy::Grant> grants;
  for (const std::string& each : tallies_from_text(decision.detail("grants"))) {
    const auto stored = reader_.record(number_in(each));
    if (!stored) return stored.error();
    const auto payload = *stored ? reader_.payload(**stored, "rule") : std::nullopt;
    const auto text = payload && *payload ? approvals::rule_of((*stored)->record, **payload) : std::nullopt;
    auto rule = text ? policy::load_grant("grant " + each, *text, anchors)
                     : base::Result<policy::Rule>(base::Error(base::Code::not_found, "gone"));
    if (!rule)
      why = "grant " + each + " is not on record whole";
    else
      grants.push_back({number_in(each), std::make_shared<const policy::Rule>(std::move(*rule))});
  }
  std::sort(grants.begin(), grants.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return grants;
}

base::Result<std::optional<policy::Seen>> Inputs::seen_of(const StoredRecord& stored,
                                                          std::string& why) const {
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

const std::string& Inputs::engine_of(const ledger::Record& decision) const {
  static const std::string none;
  const auto found = engines_.find(decision.writer);
  return found == engines_.end() ? none : found->second;
}

bool Inputs::was_unattended(std::uint64_t decision) const {
  return std::find(unattended_.begin(), unattended_.end(), decision) != unattended_.end();
}

std::string Inputs::home_of(const RecordedCall& call) const {
  return call.where.home.empty() ? here_.home : call.where.home;
}

}  // namespace proxy::replay
