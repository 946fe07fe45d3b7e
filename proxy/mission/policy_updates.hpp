#pragma once
// Takes up changes of the policy files while a session runs: what only narrows at once, anything else when
// the operator has accepted it (`callgate policy accept`) or at the next start.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ledger/writer.hpp"
#include "policy/policy.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/mission/mission.hpp"
#include "proxy/setup/log.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy {

class PolicyUpdates {
 public:
  // `file`: that of --policy, or empty. `in_force` is what has been judged by since `run` was joined; look()
  // changes both. All outlive it.
  PolicyUpdates(const Surroundings& here, std::string file, policy::Policy& in_force, Joined& run,
                ledger::Writer& writer, Log log);

  // A few system calls where nothing has changed. A file that cannot be read any more denies everything,
  // until it can: then what was judged by before counts again, or, if nothing was, the files as they stand.
  // The change is on record before anything is judged by it; where it cannot be written, it holds all the
  // same.
  void look();

 private:
  struct Stamp {
    std::uint64_t device = 0, inode = 0, bytes = 0;  // all 0: not there
    std::int64_t changed = 0;                        // ns
    bool operator==(const Stamp&) const = default;
  };
  std::vector<Stamp> stamps() const;
  bool time_to_ask();
  bool never_readable() const;
  void take_up(policy::Policy next);
  void wait_with(const policy::Policy& next);

  const Surroundings& here_;
  const std::string file_;
  policy::Policy& in_force_;
  Joined& run_;
  ledger::Writer& writer_;
  Log log_;
  policy::Policy good_;  // the last in force that could be read
  std::vector<Stamp> seen_;
  std::optional<base::Digest> waiting_;  // the policy that waits for the operator
  base::MonotonicTime asked_{};          // when we last looked for the operator's word
};

}  // namespace proxy
