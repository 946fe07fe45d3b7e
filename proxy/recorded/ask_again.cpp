#include "proxy/recorded/ask_again.hpp"

#include <memory>
#include <utility>

#include "policy/grant.hpp"
#include "policy/judge.hpp"
#include "policy/load/built_in.hpp"
#include "proxy/mission/in_force.hpp"
#include "proxy/setup/load_policy.hpp"

namespace proxy {
namespace {

using ledger::StoredRecord;
using ledger::Type;

base::Result<RecordedCall> call_of(const ledger::Reader& reader, const ledger::Record& ask) {
  std::optional<RecordedCall> found;
  const auto left_out = each_recorded_call(reader, ask.mission, [&](RecordedCall call) {
    if (call.sequence == ask.sequence) found = std::move(call);
  });
  if (!left_out) return left_out.error();
  if (found) return std::move(*found);
  for (const auto& [why, numbers] : *left_out)
    for (const std::uint64_t number : numbers)
      if (number == ask.sequence) return base::Error(base::Code::not_found, why);
  return base::Error(base::Code::not_found, "it is not on record");
}

// That its session judged by when it was asked, and judges by now.
struct Policies {
  std::optional<StoredRecord> then, now;
};

base::Result<Policies> policies_of(const ledger::Reader& reader, const ledger::Record& ask) {
  Policies found;
  const auto scanned = reader.scan_back([&](const StoredRecord& stored) {
    const ledger::Record& record = stored.record;
    const bool policy = record.type == Type::policy_loaded || record.type == Type::policy_changed;
    if (!policy || record.writer != ask.writer || record.mission != ask.mission) return true;
    if (!found.now) found.now = stored;
    if (record.sequence < ask.sequence) found.then = stored;
    return !found.then;
  });
  if (!scanned) return scanned.error();
  if (!found.then || found.then->record.policy != ask.policy)
    return base::Error(base::Code::not_found, "the policy that it was asked under is not on record");
  return found;
}

}  // namespace

AskAgain::AskAgain(const Surroundings& here, RecordedCall call, policy::Policy then, policy::Policy now)
    : here_(here), call_(std::move(call)), then_(std::move(then)), now_(std::move(now)) {}

base::Result<AskAgain> AskAgain::read(const ledger::Reader& reader, const Surroundings& here,
                                      const StoredRecord& ask) {
  auto call = call_of(reader, ask.record);
  if (!call) return call.error();
  const auto policies = policies_of(reader, ask.record);
  if (!policies) return policies.error();
  Surroundings there = here;
  there.workspace = call->where.workspace;
  const std::vector<policy::Source> built_in{
      policy::built_in_folders({here.config_folder}, {here.state_folder})};
  auto then = policy_on_record(reader, *policies->then, there, built_in);
  if (!then) return then.error();
  auto now = policy_on_record(reader, *policies->now, there, built_in);
  if (!now) return now.error();
  call->call.host_user = here.user;
  return AskAgain(there, std::move(*call), std::move(*then), std::move(*now));
}

base::Result<bool> AskAgain::policy_changed(const ledger::Reader& reader, const StoredRecord& ask) {
  const auto policies = policies_of(reader, ask.record);
  if (!policies) return policies.error();
  return policies->now->record.policy != policies->then->record.policy;
}

policy::Scene AskAgain::scene() const {
  policy::Scene scene = scene_of(here_, files_);
  scene.directory = call_.where.directory;
  return scene;
}

std::optional<policy::Decision> AskAgain::decided_otherwise() const {
  const policy::History first = policy::History::empty();
  policy::Decision now = now_.judge(call_.call, scene(), first);
  const bool same =
      now.tier == policy::Tier::ask && policy::asks_no_more(now, then_.judge(call_.call, scene(), first));
  return same ? std::nullopt : std::optional(std::move(now));
}

std::vector<std::string> AskAgain::not_covered(const policy::Rule& rule) const {
  const std::vector<policy::Grant> grants{{1, std::make_shared<const policy::Rule>(rule)}};
  const policy::Decision decision =
      policy::judge(now_.rules(), call_.call, scene(), policy::History::empty(), nullptr, grants);
  std::vector<std::string> left;
  for (const policy::Reason& reason : decision.reasons)
    if (reason.tier == policy::Tier::ask) left.push_back(policy::summary(decision.effects[reason.effect]));
  return left;
}

}  // namespace proxy
