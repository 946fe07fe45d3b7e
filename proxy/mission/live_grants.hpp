#pragma once
// The grants that stand in a mission, read from the ledger each time something is asked. What the operator
// did not sign does not count, however it came there.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "approvals/binding.hpp"
#include "approvals/grant.hpp"
#include "ledger/reader.hpp"
#include "policy/grant.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/setup/log.hpp"

namespace proxy {

struct RecordedGrant {
  ledger::StoredRecord grant;
  ledger::StoredRecord ask;  // that it was given at
  approvals::GrantScope scope = approvals::GrantScope::call;
  std::string rule;                  // TOML
  std::optional<base::Digest> same;  // of scope call
};

// One that stands in the fold. Code::refused: the operator did not sign it; Code::not_found: its rule is not
// kept as it was signed.
base::Result<RecordedGrant> read_grant(const ledger::Reader& reader, const ledger::Grant& grant,
                                       const std::string& operator_key);

class LiveGrants {
 public:
  // Of an agent, by its process: agents that share a mission are asked for apart. Without one, of all.
  LiveGrants(ledger::Place place, std::string mission, std::optional<ledger::Process> agent,
             policy::Anchors anchors);

  // That may answer for this call now, which grants know by `same`. None where an answer to this very call
  // stands, which is used first; none where the ledger cannot be read: `log` says so, and, once each, which
  // are not genuine.
  std::vector<policy::Grant> standing(const approvals::CallDigests& call, const base::Digest& same,
                                      const Log& log);

  // Of the newest that standing() has seen, and of the newest now; 0: none, or the ledger cannot be read.
  std::uint64_t seen() const { return seen_; }
  std::uint64_t newest();

 private:
  struct Known {
    base::Digest leaf{};
    std::optional<policy::Grant> grant;  // nullopt: it counts for nothing here
    std::optional<base::Digest> same;
  };
  base::Result<ledger::Fold> state();
  const Known& known(const ledger::Grant& grant, const std::string& operator_key, const Log& log);

  ledger::Place place_;
  std::string mission_;
  std::optional<ledger::Process> agent_;
  policy::Anchors anchors_;
  std::unique_ptr<ledger::Reader> reader_;  // null: not open
  std::uint64_t seen_ = 0;
  std::map<std::uint64_t, Known> known_;  // records never change
};

}  // namespace proxy
