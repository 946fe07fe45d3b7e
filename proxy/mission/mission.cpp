#include "proxy/mission/mission.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "policy/load/built_in.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"
#include "proxy/base/utf8.hpp"
#include "proxy/mission/acceptance.hpp"
#include "proxy/mission/passed_calls.hpp"
#include "proxy/setup/git_commit.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy {
namespace {

constexpr int join_attempts_max = 8;

// Field 22 of /proc/PID/stat: start time in clock ticks after boot. 0: no such process, or a zombie.
std::uint64_t start_time(std::int64_t pid) {
  const auto stat = base::read_file("/proc/" + std::to_string(pid) + "/stat", 65536);
  if (!stat) return 0;
  std::size_t at = stat->rfind(')');  // the name may hold spaces and brackets
  if (at == std::string::npos || at + 2 >= stat->size() || (*stat)[at + 2] == 'Z') return 0;
  for (int field = 2; field < 22; ++field) {
    at = stat->find(' ', at + 1);
    if (at == std::string::npos) return 0;
  }
  std::uint64_t ticks = 0;
  std::from_chars(stat->data() + at + 1, stat->data() + stat->size(), ticks);
  return ticks;
}

std::vector<std::string> tally_ids(const policy::Policy& policy) {
  std::vector<std::string> ids;
  for (const policy::Tally& tally : policy.tallies()) ids.push_back(tally.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

// The policy that a run judges by: digests in the body, the files themselves as payload.
ledger::Draft policy_record(const std::string& mission, const std::string& workspace,
                            const policy::Policy& policy) {
  ledger::Draft draft;
  draft.record.type = ledger::Type::policy_loaded;
  draft.record.mission = mission;
  draft.record.policy = policy.digest();
  draft.record.details["workspace"] = base::hex(workspace_digest(workspace));
  base::json::Value files = base::json::Value::object();
  for (const auto& source : policy.sources()) {
    if (policy::is_unreadable(source)) draft.record.details["unreadable"] = "yes";
    if (source.layer == policy::Layer::built_in) continue;  // it is the binary's
    const std::string slot = std::string("policy-") + policy::name(source.layer);
    draft.record.details[slot] = base::hex(base::sha256(source.bytes));
    if (source.layer == policy::Layer::repository)
      draft.record.details["trusted"] = source.trusted ? "yes" : "no";
    draft.payloads.push_back({slot, source.bytes});
    if (const std::string commit = checked_out_commit(std::filesystem::absolute(source.file));
        !commit.empty())
      draft.record.details[std::string("commit-") + policy::name(source.layer)] = commit;
    if (base::utf8::valid(source.file)) files[policy::name(source.layer)] = source.file;
  }
  if (const auto tallies = tally_ids(policy); !tallies.empty())
    draft.record.details["tallies"] = tallies_text(tallies);
  if (!files.empty()) draft.payloads.push_back({"policy-files", files.dump()});
  draft.record.details["parts"] = parts_text(parts_of(policy, workspace));
  return draft;
}

ledger::Append mission_start(const std::string& id, const base::Digest& key, const std::string& workspace) {
  ledger::Append append;
  ledger::Draft draft;
  draft.record.type = ledger::Type::mission_start;
  draft.record.mission = id;
  draft.record.details = {{"key", base::hex(key)}, {"workspace", base::hex(workspace_digest(workspace))}};
  draft.payloads.push_back({"workspace", workspace});
  append.preconditions.push_back({.kind = ledger::Precondition::Kind::no_mission_with_key, .digest = key});
  append.drafts.push_back(std::move(draft));
  return append;
}

ledger::Append agent_mission_start(const MissionRequest& request, const base::Digest& key) {
  ledger::Append append = mission_start("m-" + base::hex(base::random_bytes(6)), key, request.workspace);
  ledger::Record& record = append.drafts.front().record;
  record.agent = ledger::Agent{.process = request.agent, .commit = checked_out_commit(request.workspace)};
  record.policy = request.policy->digest();
  append.drafts.push_back(policy_record(record.mission, request.workspace, *request.policy));
  return append;
}

base::Result<Joined> joined(ledger::Writer& writer, const ledger::Mission& mission,
                            const MissionRequest& request) {
  if (mission.state != ledger::MissionState::active)
    return base::Error(base::Code::refused,
                       "the mission " + base::quoted(mission.id) + " is " + name(mission.state));
  ledger::Append append;
  append.drafts.push_back(policy_record(mission.id, request.workspace, *request.policy));
  append.preconditions.push_back({.kind = ledger::Precondition::Kind::mission_active, .mission = mission.id});
  const auto written = writer.append_now(std::move(append));
  if (!written) return written.error();
  return Joined{mission.id, written->records.front()};
}

base::Result<Joined> join_named(ledger::Writer& writer, const MissionRequest& request) {
  const auto fold = writer.refresh();
  if (!fold) return fold.error();
  const ledger::Mission* mission = fold->mission(request.named);
  if (mission == nullptr || mission->key != named_mission_key(request.named))
    return base::Error(base::Code::refused,
                       "the operator has created no mission " + base::quoted(request.named));
  return joined(writer, *mission, request);
}

}  // namespace

ledger::Process agent_process() {
  const std::int64_t parent = ::getppid();
  const std::int64_t pid = parent > 1 ? parent : ::getpid();
  return {pid, start_time(pid), base::boot_id()};
}

bool alive(const ledger::Process& process) {
  return process.boot == base::boot_id() && process.start != 0 && start_time(process.pid) == process.start;
}

base::Digest named_mission_key(const std::string& name) {
  return base::sha256({"callgate named mission\n", name});
}

base::Digest mission_key(const ledger::Process& process, const std::string& workspace) {
  return base::sha256({"callgate mission\n", process.boot, "\n", std::to_string(process.pid), "\n",
                       std::to_string(process.start), "\n", workspace});
}

base::Result<Joined> join_mission(ledger::Writer& writer, const MissionRequest& request) {
  if (!request.named.empty()) return join_named(writer, request);
  const base::Digest key = mission_key(request.agent, request.workspace);
  for (int attempt = 0; attempt < join_attempts_max; ++attempt) {
    const auto fold = writer.refresh();
    if (!fold) return fold.error();
    if (const ledger::Mission* mission = fold->mission_by_key(key)) {
      auto result = joined(writer, *mission, request);
      if (result || result.error().code() != base::Code::conflict) return result;
      continue;
    }
    ledger::Append append = agent_mission_start(request, key);
    const std::string id = append.drafts.front().record.mission;
    const auto written = writer.append_now(std::move(append));
    if (written) return Joined{id, written->records.back()};
    if (written.error().code() != base::Code::conflict) return written.error();
  }
  return base::Error(base::Code::conflict, "could not join or start a mission: others changed it each time");
}

ledger::Append policy_change(const Joined& run, const std::string& workspace, const policy::Policy& before,
                             const policy::Policy& after) {
  ledger::Append append;
  append.drafts.push_back(policy_record(run.mission, workspace, after));
  ledger::Record& record = append.drafts.front().record;
  record.type = ledger::Type::policy_changed;
  record.answers = run.policy;
  record.details["replaces"] = base::hex(before.digest());
  return append;
}

ledger::Append named_mission_start(const std::string& name, const std::string& workspace) {
  return mission_start(name, named_mission_key(name), workspace);
}

ledger::Append mission_end(const std::string& id, const std::string& reason) {
  ledger::Append append;
  ledger::Draft draft;
  draft.record.type = ledger::Type::mission_end;
  draft.record.mission = id;
  draft.record.details["reason"] = reason;
  append.drafts.push_back(std::move(draft));
  append.preconditions.push_back({.kind = ledger::Precondition::Kind::mission_active, .mission = id});
  return append;
}

base::Result<bool> agent_gone(const ledger::Reader& reader, const ledger::Mission& mission) {
  if (mission.state != ledger::MissionState::active) return false;
  const auto start = reader.record(mission.start);
  if (!start) return start.error();
  return *start && (*start)->record.agent && !alive((*start)->record.agent->process);
}

base::Result<void> end_missions_without_agent(ledger::Writer& writer, const ledger::Place& place) {
  const ledger::Fold fold = writer.state();
  if (fold.missions().empty()) return {};
  const auto reader = ledger::Reader::open(place);
  if (!reader) return reader.error();
  for (const auto& [id, mission] : fold.missions()) {
    const auto gone = agent_gone(**reader, mission);
    if (!gone) return gone.error();
    if (!*gone) continue;
    const auto written = writer.append_now(mission_end(id, "the agent's process has ended"));
    if (!written && written.error().code() != base::Code::conflict) return written.error();
  }
  return {};
}

}  // namespace proxy
