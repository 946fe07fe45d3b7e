#pragma once
// The modes of `callgate replay`, one file each (`replay_*.cpp`). Each returns the exit code. All text of the
// ledger is shown escaped.

#include <string>
#include <vector>

#include "proxy/base/error.hpp"
#include "proxy/replay/checked.hpp"
#include "proxy/replay/filter.hpp"
#include "proxy/replay/read_timeline.hpp"
#include "proxy/replay/text.hpp"
#include "proxy/replay/timeline.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {

struct ReplayOptions {
  std::string mission;  // as find_mission() takes it
  // Of the timeline: what of it, and in which form.
  replay::Filter filter;
  bool json = false;
  bool step = false;
  std::string html;  // file to write; empty: none
  bool check = false;
  std::string policy;  // file to judge by instead; empty: none
  bool serve = false;
  std::string match = "ordered";  // strict, ordered, arguments
};

// The default: what happened, in order.
int replay_timeline(const Surroundings& here, const ReplayOptions& options);

// What another policy file would have decided.
int replay_policy(const Surroundings& here, const ReplayOptions& options);

// Its server's answers again, on stdin and stdout.
int replay_serve(const Surroundings& here, const ReplayOptions& options);

// Every decision made again from its record.
int replay_check(const Surroundings& here, const ReplayOptions& options);

// A mission whose ledger has been verified.
struct VerifiedMission {
  replay::Timeline timeline;
  replay::Checked checked;
  int exit = 0;  // as `ledger verify` ends
};
// An error of verifying or reading: after what verifying found has been said on stderr.
base::Result<VerifiedMission> verified_mission(const Surroundings& here, const std::string& mission);
// The same of several, verified once.
base::Result<std::vector<VerifiedMission>> verified_missions(const Surroundings& here,
                                                             const std::vector<std::string>& missions,
                                                             const replay::ReadOptions& options);

// One entry at a time: keys on a terminal, else commands on lines.
int step_through(const VerifiedMission& mission, const replay::Filter& filter);

// As stdout takes it.
replay::TextOptions text_options();

}  // namespace proxy::commands
