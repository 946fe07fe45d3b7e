#pragma once
// The histories that recorded calls had, as another policy would have counted them: what passed on record is
// what passed, whatever that policy says of it. Pure.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "policy/history.hpp"
#include "proxy/recorded/calls.hpp"

namespace proxy {

class ReplayedHistory {
 public:
  explicit ReplayedHistory(std::vector<policy::Tally> tallies) : tallies_(std::move(tallies)) {}

  // What passed in its mission before the call was decided. Calls come in the order of the records.
  const policy::History& before(const RecordedCall& call);
  // The call, once it was judged: what the policy says it adds to.
  void add(const RecordedCall& call, const std::vector<std::string>& tallies);
  // A call that cannot be judged: only the kinds of its effects are known.
  void add_unknown(const RecordedCall& call);

 private:
  struct Mission {
    policy::History history = policy::History::empty();
    std::multimap<std::uint64_t, std::pair<std::size_t, policy::Passed>> later;  // by the record that counts
  };
  std::vector<policy::Tally> tallies_;
  std::map<std::string, Mission> missions_;
};

}  // namespace proxy
