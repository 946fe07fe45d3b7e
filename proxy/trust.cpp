#include "proxy/trust.hpp"

#include <algorithm>

#include "approvals/trust.hpp"
#include "ledger/reader.hpp"
#include "policy/load.hpp"
#include "policy/rule.hpp"
#include "proxy/base/text.hpp"
#include "proxy/mission.hpp"

namespace proxy {
namespace {

bool allows_something(const policy::Source& source, const policy::Anchors& anchors) {
  const auto compiled = policy::compile_sources({source}, anchors);
  return compiled.has_value() &&
         std::any_of(compiled->rules.begin(), compiled->rules.end(),
                     [](const policy::Rule& rule) { return rule.tier == policy::Tier::allow; });
}

}  // namespace

std::optional<base::Digest> trusted_bytes(const Surroundings& here) {
  const auto reader = ledger::Reader::open({here.state_folder});
  if (!reader) return std::nullopt;
  const auto fold = (*reader)->state();
  if (!fold || !fold->operator_key()) return std::nullopt;
  const auto digest = workspace_digest(here.workspace);
  const auto found = fold->trusted().find(digest);
  if (found == fold->trusted().end()) return std::nullopt;
  const auto stored = (*reader)->record(found->second.record);
  if (!stored || !*stored) return std::nullopt;
  const ledger::Record& record = (*stored)->record;
  const auto workspace = record.details.find("workspace");
  const bool genuine = record.policy == found->second.policy && workspace != record.details.end() &&
                       workspace->second == base::hex(digest) &&
                       approvals::genuine_trust(record, *fold->operator_key());
  return genuine ? record.policy : std::nullopt;
}

policy::Trusted trusted_on_record(const Surroundings& here) {
  return [&here](const base::Digest& bytes) { return trusted_bytes(here) == bytes; };
}

std::string trust_notice(const Surroundings& here, const std::vector<policy::Source>& sources) {
  for (policy::Source source : sources) {
    if (source.layer != policy::Layer::repository || source.trusted) continue;
    source.trusted = true;
    if (!allows_something(source, {here.workspace, here.home})) continue;
    return base::quoted(source.file, 4096) +
           (trusted_bytes(here) ? " has changed since it was trusted" : " is not trusted") +
           ", so its allow rules do not count: see `callgate policy trust`";
  }
  return {};
}

}  // namespace proxy
