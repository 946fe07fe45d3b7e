#pragma once
// What one session sees of its mission: the policy in force, what passed before over all servers, and what
// the operator granted.

#include <optional>
#include <string>

#include "ledger/writer.hpp"
#include "policy/policy.hpp"
#include "proxy/mission/history.hpp"
#include "proxy/mission/live_grants.hpp"
#include "proxy/mission/mission.hpp"
#include "proxy/mission/policy_updates.hpp"
#include "proxy/setup/log.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy {

struct MissionParts {
  const Surroundings& here;                // outlives the view
  std::optional<std::string> policy_file;  // that of --policy, or empty; nullopt: `policy` stays in force
  policy::Policy policy;                   // as loaded from the files
  Joined joined;
  ledger::Process agent;
  ledger::Writer* writer;  // outlives the view; null: there is no ledger, and no mission was joined
  Log log;
};

class MissionView {
 public:
  explicit MissionView(MissionParts parts);
  MissionView(const MissionView&) = delete;
  MissionView& operator=(const MissionView&) = delete;

  // Before each judgement: takes up what has changed on disk. What policy() was is void then, and what the
  // history said.
  void refresh();

  const policy::Policy& policy() const { return policy_; }
  const std::string& id() const { return joined_.mission; }
  const ledger::Process& agent() const { return agent_; }
  // Null: there is no ledger.
  MissionHistory* history() { return history_ ? &*history_ : nullptr; }
  LiveGrants* grants() { return grants_ ? &*grants_ : nullptr; }

 private:
  policy::Policy policy_;
  Joined joined_;
  ledger::Process agent_;
  std::optional<PolicyUpdates> updates_;  // of the two above
  std::optional<MissionHistory> history_;
  std::optional<LiveGrants> grants_;
};

}  // namespace proxy
