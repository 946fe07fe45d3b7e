#include "proxy/recorded/covered_asks.hpp"

#include "policy/grant.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/mission/live_grants.hpp"
#include "proxy/recorded/ask_again.hpp"

namespace proxy {
namespace {

bool covers(const ledger::Reader& reader, const Surroundings& here, const RecordedGrant& grant,
            const ledger::StoredRecord& ask) {
  const auto& agent = ask.record.agent;
  const auto& other = grant.ask.record.agent;
  const std::string same = ask.record.detail("same");  // empty: asked each time
  if (!agent || !other || agent->process != other->process || same.empty()) return false;
  if (grant.same) return same == base::hex(*grant.same);
  const auto again = AskAgain::read(reader, here, ask);
  if (!again) return false;
  const auto rule = policy::load_grant("grant", grant.rule, again->anchors());
  return rule && again->not_covered(*rule).empty();
}

}  // namespace

std::vector<approvals::AskAt> covered_asks(const ledger::Reader& reader, const Surroundings& here,
                                           std::uint64_t grant) {
  std::vector<approvals::AskAt> covered;
  const auto fold = reader.state();
  if (!fold) return covered;
  const auto given = fold->grants().find(grant);
  if (given == fold->grants().end()) return covered;
  const auto read = read_grant(reader, given->second, fold->operator_key().value_or(""));
  if (!read) return covered;
  for (const auto& [number, ask] : fold->asks()) {
    if (ask.state != ledger::AskState::detached || ask.mission != given->second.mission) continue;
    const auto stored = reader.record(number);
    if (stored && *stored && covers(reader, here, *read, **stored))
      covered.push_back({{number, ask.leaf}, ask.mission, ask.server, (*stored)->record.call});
  }
  return covered;
}

}  // namespace proxy
