#include "proxy/mission/in_force.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "policy/load/built_in.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/mission/mission.hpp"

namespace proxy {
namespace {

using ledger::Record;
using ledger::StoredRecord;
using ledger::Type;

constexpr std::array layers{policy::Layer::organisation, policy::Layer::user, policy::Layer::repository,
                            policy::Layer::mission};

struct Active {
  std::set<std::string> missions;
  std::uint64_t first = 0;  // sequence of the oldest mission's start
  std::set<base::Digest> policies;
};

base::Result<Active> active_here(const ledger::Reader& reader, const Surroundings& here) {
  Active active;
  const auto fold = reader.state();
  if (!fold) return fold.error();
  const std::string workspace = base::hex(workspace_digest(here.workspace));
  for (const auto& [id, mission] : fold->missions()) {
    if (mission.state != ledger::MissionState::active) continue;
    const auto start = reader.record(mission.start);
    if (!start) return start.error();
    if (!*start || (*start)->record.detail("workspace") != workspace) continue;
    const auto gone = agent_gone(reader, mission);
    if (!gone) return gone.error();
    if (*gone) continue;
    active.first = active.missions.empty() ? mission.start : std::min(active.first, mission.start);
    active.missions.insert(id);
    for (const auto& [writer, policy] : mission.policies) active.policies.insert(policy);
  }
  return active;
}

// The files of one record. Error: something of them is not kept.
base::Result<std::vector<policy::Source>> files_of(const ledger::Reader& reader, const StoredRecord& stored) {
  const auto names = reader.payload(stored, "policy-files");
  if (!names) return names.error();
  const auto files = base::json::parse(names->value_or("{}"));
  std::vector<policy::Source> sources;
  for (const policy::Layer layer : layers) {
    const std::string slot = std::string("policy-") + policy::name(layer);
    if (stored.record.detail(slot).empty()) continue;
    auto bytes = reader.payload(stored, slot);
    if (!bytes) return bytes.error();
    if (!*bytes) return base::Error(base::Code::not_found, "the payload " + slot + " is gone");
    const bool named =
        files && files->contains(policy::name(layer)) && (*files)[policy::name(layer)].is_string();
    sources.push_back({layer, named ? (*files)[policy::name(layer)].get<std::string>() : std::string(),
                       std::move(**bytes), stored.record.detail("trusted") != "no"});
    if (layer != policy::Layer::repository) sources.back().trusted = true;
  }
  return sources;
}

}  // namespace

base::Result<policy::Policy> policy_on_record(const ledger::Reader& reader, const StoredRecord& stored,
                                              const Surroundings& here,
                                              const std::vector<policy::Source>& built_in) {
  if (!stored.record.detail("unreadable").empty())
    return policy::Policy::load({policy::unreadable_source("it could not be read then")}, here.workspace,
                                here.home);
  auto sources = files_of(reader, stored);
  if (!sources) return sources.error();
  sources->insert(sources->begin(), built_in.begin(), built_in.end());
  return policy::Policy::load(*sources, here.workspace, here.home);
}

base::Result<bool> only_in_force(const ledger::Reader& reader, const Surroundings& here,
                                 const base::Digest& policy) {
  const auto active = active_here(reader, here);
  if (!active) return active.error();
  return active->policies.empty() || active->policies == std::set<base::Digest>{policy};
}

std::vector<policy::Source> built_in_here(const policy::Policy& policy) {
  std::vector<policy::Source> built_in;
  const std::string always = policy::built_in_source().bytes;
  for (const policy::Source& source : policy.sources())
    if (source.layer == policy::Layer::built_in && source.bytes != always &&
        source.file != policy::baseline_file)
      built_in.push_back(source);
  return built_in;
}

base::Result<std::vector<InForce>> policies_in_force(const ledger::Reader& reader, const Surroundings& here,
                                                     const std::vector<policy::Source>& built_in) {
  const auto active = active_here(reader, here);
  if (!active) return active.error();
  if (active->missions.empty()) return std::vector<InForce>();
  std::map<std::uint64_t, std::uint64_t> readable;  // last record of a run → the last that could be read
  std::map<std::string, std::uint64_t> runs;        // by writer → the last record
  const auto scanned =
      reader.scan(active->first, ~std::uint64_t{0} - active->first, [&](const StoredRecord& stored) {
        const Record& record = stored.record;
        if (record.type == Type::session_end || record.type == Type::writer_stop) {
          if (const auto ended = runs.extract(record.writer); !ended.empty()) readable.erase(ended.mapped());
          return true;
        }
        const bool changed = record.type == Type::policy_changed;
        if ((!changed && record.type != Type::policy_loaded) || !active->missions.contains(record.mission))
          return true;
        std::uint64_t last = record.detail("unreadable").empty() ? record.sequence : 0;
        if (changed && record.answers) {
          const auto before = readable.extract(record.answers->sequence);
          if (last == 0 && !before.empty()) last = before.mapped();
        }
        readable[record.sequence] = last;
        runs[record.writer] = record.sequence;
        return true;
      });
  if (!scanned) return scanned.error();
  std::vector<InForce> all;
  for (auto each = readable.rbegin(); each != readable.rend(); ++each) {
    if (each->second == 0) continue;
    const auto stored = reader.record(each->second);
    if (!stored) return stored.error();
    if (!*stored) continue;
    auto policy = policy_on_record(reader, **stored, here, built_in);
    if (policy) all.push_back({each->second, std::move(*policy)});
  }
  return all;
}

}  // namespace proxy
