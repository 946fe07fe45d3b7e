#pragma once
// A timeline as JSON (TIMELINE.md). Pure.

#include <nlohmann/json.hpp>
#include <vector>

#include "proxy/replay/checked.hpp"
#include "proxy/replay/timeline.hpp"

namespace proxy::replay {

nlohmann::ordered_json timeline_json(const Timeline& timeline, const std::vector<std::size_t>& places,
                                     const Checked& checked);
nlohmann::ordered_json checked_json(const Checked& checked);

}  // namespace proxy::replay
