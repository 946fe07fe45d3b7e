#pragma once
// The modes of `callgate replay`, one file each (`replay_*.cpp`). Each returns the exit code. All text of the
// ledger is shown escaped.

#include <string>

#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {

struct ReplayOptions {
  std::string mission;  // as find_mission() takes it
  // Of the timeline.
  bool json = false;
};

// The default: what happened, in order.
int replay_timeline(const Surroundings& here, const ReplayOptions& options);

}  // namespace proxy::commands
