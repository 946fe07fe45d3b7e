#pragma once
// A timeline for a terminal: printable lines, each no wider than asked where it can be. Pure.

#include <string>
#include <vector>

#include "proxy/replay/checked.hpp"
#include "proxy/replay/timeline.hpp"

namespace proxy::replay {

struct TextOptions {
  std::size_t width = 80;  // columns
  bool colour = false;     // with SGR sequences, which take no columns
};

// What stands above the entries: findings first, then the mission.
std::vector<std::string> heading_lines(const Timeline& timeline, const Checked& checked,
                                       const TextOptions& options);
// The entries at `places`, one or a few lines each, in columns.
std::vector<std::string> entry_lines(const Timeline& timeline, const std::vector<std::size_t>& places,
                                     const TextOptions& options);
// One entry whole.
std::vector<std::string> full_lines(const Timeline& timeline, std::size_t place, const TextOptions& options);

}  // namespace proxy::replay
