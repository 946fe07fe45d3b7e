#pragma once
// A mission over time as one SVG: a lane for each server, decisions by shape and colour, waits for people as
// bars, violations above, pauses and long silences across. Many calls are put together in columns. Pure.

#include <string>
#include <vector>

#include "proxy/replay/timeline.hpp"

namespace proxy::replay {

inline constexpr std::size_t marks_max = 300;  // calls; more are shown in columns

// With its legend. Shows the entries at `places`. Names are escaped; nothing from outside is named.
std::string picture(const Timeline& timeline, const std::vector<std::size_t>& places);

}  // namespace proxy::replay
