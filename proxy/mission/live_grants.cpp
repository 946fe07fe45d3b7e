#include "proxy/mission/live_grants.hpp"

#include <utility>

#include "approvals/asks.hpp"
#include "proxy/base/clock.hpp"

namespace proxy {
namespace {

std::uint64_t newest_of(const ledger::Fold& fold, const std::string& mission) {
  std::uint64_t newest = 0;
  for (const auto& [record, grant] : fold.grants())
    if (grant.mission == mission) newest = record;
  return newest;
}

}  // namespace

base::Result<RecordedGrant> read_grant(const ledger::Reader& reader, const ledger::Grant& grant,
                                       const std::string& operator_key) {
  const std::string name = "grant " + std::to_string(grant.record);
  RecordedGrant read;
  for (const auto& [sequence, into] :
       {std::pair(grant.record, &read.grant), std::pair(grant.ask, &read.ask)}) {
    auto stored = reader.record(sequence);
    if (!stored) return stored.error();
    if (!*stored) return base::Error(base::Code::not_found, "there is no record " + std::to_string(sequence));
    *into = std::move(**stored);
  }
  const ledger::Record& record = read.grant.record;
  if (read.grant.leaf != grant.leaf || record.mission != grant.mission ||
      !approvals::genuine_grant(record, read.ask, operator_key))
    return base::Error(base::Code::refused, name + " has no valid signature of the operator and is ignored");
  read.scope = *approvals::scope_from_name(record.detail("scope"));
  if (read.scope == approvals::GrantScope::call) read.same = base::digest_from_hex(record.detail("same"));
  const auto payload = reader.payload(read.grant, "rule");
  if (!payload) return payload.error();
  auto rule = *payload ? approvals::rule_of(record, **payload) : std::nullopt;
  if (!rule)
    return base::Error(base::Code::not_found, "the rule of " + name + " is not on record as it was signed");
  read.rule = std::move(*rule);
  return read;
}

LiveGrants::LiveGrants(ledger::Place place, std::string mission, std::optional<ledger::Process> agent,
                       policy::Anchors anchors)
    : place_(std::move(place)),
      mission_(std::move(mission)),
      agent_(std::move(agent)),
      anchors_(std::move(anchors)) {}

base::Result<ledger::Fold> LiveGrants::state() {
  if (!reader_) {
    auto reader = ledger::Reader::open(place_);
    if (!reader) return reader.error();
    reader_ = std::move(*reader);
  }
  return reader_->state();
}

const LiveGrants::Known& LiveGrants::known(const ledger::Grant& grant, const std::string& operator_key,
                                           const Log& log) {
  const auto [found, fresh] = known_.try_emplace(grant.record);
  Known& known = found->second;
  if (!fresh && known.leaf == grant.leaf) return known;
  known = {grant.leaf, std::nullopt, std::nullopt};
  const auto read = read_grant(*reader_, grant, operator_key);
  if (!read) {
    log(read.error().text());
    return known;
  }
  const auto& asked_by = read->ask.record.agent;
  if (agent_ && (!asked_by || asked_by->process != *agent_)) return known;
  auto rule = policy::load_grant("grant " + std::to_string(grant.record), read->rule, anchors_);
  if (!rule) {
    log(rule.error().text());
    return known;
  }
  known.grant = policy::Grant{grant.record, std::make_shared<const policy::Rule>(std::move(*rule))};
  known.same = read->same;
  return known;
}

std::uint64_t LiveGrants::newest() {
  const auto fold = state();
  if (fold) return newest_of(*fold, mission_);
  reader_.reset();  // standing() says so
  return 0;
}

std::vector<policy::Grant> LiveGrants::standing(const approvals::CallDigests& call, const base::Digest& same,
                                                const Log& log) {
  const auto fold = state();
  if (!fold) {
    log("grants cannot be read: " + fold.error().text());
    reader_.reset();
    return {};
  }
  const base::WallTime now = base::wall_now();
  seen_ = newest_of(*fold, mission_);
  std::vector<policy::Grant> standing;
  if (const ledger::Ask* ask = approvals::standing_ask(*fold, mission_, call, now);
      ask != nullptr && ask->answer != 0)
    return standing;
  for (const auto& [record, grant] : fold->grants()) {
    if (grant.mission != mission_ || grant.expires <= now.time_since_epoch().count()) continue;
    const Known& one = known(grant, fold->operator_key().value_or(""), log);
    if (one.grant && (!one.same || *one.same == same)) standing.push_back(*one.grant);
  }
  return standing;
}

}  // namespace proxy
