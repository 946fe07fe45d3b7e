#include "proxy/recorded/history.hpp"

#include <algorithm>

namespace proxy {

using policy::TallyKind;

const policy::History& ReplayedHistory::before(const RecordedCall& call) {
  Mission& mission = missions_[call.call.mission];
  while (!mission.later.empty() && mission.later.begin()->first < call.sequence) {
    const auto& [tally, passed] = mission.later.begin()->second;
    mission.history.add(tallies_[tally], passed);
    mission.later.erase(mission.later.begin());
  }
  mission.history.set_now(call.time);
  return mission.history;
}

void ReplayedHistory::add(const RecordedCall& call, const std::vector<std::string>& tallies) {
  if (!call.passed) return;
  Mission& mission = missions_[call.call.mission];
  for (std::size_t i = 0; i < tallies_.size(); ++i) {
    if (std::find(tallies.begin(), tallies.end(), tallies_[i].id) == tallies.end()) continue;
    const bool certain = tallies_[i].kind == TallyKind::certain;
    if (certain && call.passed->answered == 0) continue;
    const std::uint64_t from = certain ? call.passed->answered : call.passed->sequence;
    mission.later.emplace(from, std::pair(i, policy::Passed{call.sequence, call.passed->time}));
  }
}

void ReplayedHistory::add_unknown(const RecordedCall& call) {
  if (!call.passed) return;
  Mission& mission = missions_[call.call.mission];
  for (std::size_t i = 0; i < tallies_.size(); ++i)
    if (tallies_[i].kind != TallyKind::certain && (tallies_[i].kinds & call.effects) != 0)
      mission.later.emplace(call.passed->sequence,
                            std::pair(i, policy::Passed{call.sequence, call.passed->time, false}));
}

}  // namespace proxy
