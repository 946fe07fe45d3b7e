#pragma once
// A mission: one agent process on one workspace, over all its servers, for as long as that process lives.

#include <string>

#include "ledger/reader.hpp"
#include "ledger/writer.hpp"
#include "policy/policy.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/sha256.hpp"

namespace proxy {

// The agent: our parent, or we ourselves under pid 1.
ledger::Process agent_process();
// Whether that very process (pid, start time, boot) still runs.
bool alive(const ledger::Process& process);

// One agent process on one workspace.
base::Digest mission_key(const ledger::Process& process, const std::string& workspace);
// Of one that the operator created: from its name alone, so that no agent process has it.
base::Digest named_mission_key(const std::string& name);

struct MissionRequest {
  ledger::Process agent;
  std::string workspace;
  std::string named;  // --mission: an active mission that the operator created; empty: the agent's own
  const policy::Policy* policy = nullptr;
};

struct Joined {
  std::string mission;       // its id
  ledger::Reference policy;  // the record of the policy that this run judges by
};

// The agent's mission, joined or started; the policy that this run judges by is recorded. Several
// runs of one agent that start side by side agree on one mission (a precondition under the ledger's lock).
// Errors: Code::refused (--mission names none that the operator created; a paused or terminated one),
// Code::io, …
base::Result<Joined> join_mission(ledger::Writer& writer, const MissionRequest& request);

// The append that puts another policy in the place of the one that the run judged by so far.
ledger::Append policy_change(const Joined& run, const std::string& workspace, const policy::Policy& before,
                             const policy::Policy& after);

// The append that starts a mission of the operator's; Code::conflict: one of that name is under way.
ledger::Append named_mission_start(const std::string& name, const std::string& workspace);
// The append that ends an active mission.
ledger::Append mission_end(const std::string& id, const std::string& reason);

// Whether a mission that stands in the fold has outlived its agent process: nobody has ended it yet, and the
// next run will. Never of one that the operator created.
base::Result<bool> agent_gone(const ledger::Reader& reader, const ledger::Mission& mission);

// Ends every mission whose agent process is gone. Missions that the operator created are left alone.
base::Result<void> end_missions_without_agent(ledger::Writer& writer, const ledger::Place& place);

}  // namespace proxy
