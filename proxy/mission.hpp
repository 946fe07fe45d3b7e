#pragma once
// A mission: one agent process on one workspace, over all its servers, for as long as that process lives.

#include <string>

#include "ledger/writer.hpp"
#include "policy/policy.hpp"
#include "proxy/base/error.hpp"

namespace proxy {

// The agent: our parent, or we ourselves under pid 1.
ledger::Process agent_process();
// Whether that very process (pid, start time, boot) still runs.
bool alive(const ledger::Process& process);

// One agent process on one workspace.
base::Digest mission_key(const ledger::Process& process, const std::string& workspace);
// Of one that the operator created: from its name alone, so that no agent process has it.
base::Digest named_mission_key(const std::string& name);
base::Digest workspace_digest(const std::string& workspace);

struct MissionRequest {
  ledger::Process agent;
  std::string workspace;
  std::string named;  // --mission: an active mission that the operator created; empty: the agent's own
  const policy::Policy* policy = nullptr;
};

struct JoinedMission {
  std::string id;
  ledger::Reference start;  // the mission_start record
  bool started_here = false;
};

// Joins the agent's mission or starts it, and records the policy that this run judges by. Several runs of one
// agent that start side by side agree on one mission (a precondition under the ledger's lock). Errors:
// Code::refused (--mission names none that the operator created; a paused or terminated one), Code::io, …
base::Result<JoinedMission> join_mission(ledger::Writer& writer, const MissionRequest& request);

// Ends every mission whose agent process is gone. Missions that the operator created are left alone.
base::Result<void> end_missions_without_agent(ledger::Writer& writer, const ledger::Place& place);

}  // namespace proxy
