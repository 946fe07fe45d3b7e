#pragma once
// A timeline as one HTML file: nothing from outside, readable without its script, which only filters. Its
// Content-Security-Policy lets run and load nothing else. Pure.

#include <string>
#include <vector>

#include "proxy/replay/checked.hpp"
#include "proxy/replay/timeline.hpp"

namespace proxy::replay {

std::string timeline_html(const Timeline& timeline, const std::vector<std::size_t>& places,
                          const Checked& checked);

}  // namespace proxy::replay
