#pragma once
// Timelines made by hand.

#include <vector>

#include "proxy/replay/checked.hpp"
#include "proxy/replay/timeline.hpp"

namespace missions {

inline constexpr std::int64_t second = 1'000'000'000;

inline proxy::replay::Checked sound() {
  return {.level = ledger::Report::Level::self_consistent, .records = 12, .unproven = "records 0 to 11"};
}

// Number `number`, made so many seconds after the mission began.
inline proxy::replay::Call call(std::uint64_t number, const std::string& decision) {
  proxy::replay::Call call;
  call.number = number;
  call.record = 10 * number;
  call.time = static_cast<std::int64_t>(1000 + number) * second;
  call.server = "files";
  call.method = "tools/call";
  call.tool = "read_file";
  call.decision = decision;
  call.state = decision == "ALLOW" ? "answered" : decision == "ASK" ? "waiting" : "refused";
  call.has_outcome = decision == "ALLOW";
  call.effects = {{"read /w/a.txt", decision, "a-rule"}};
  call.effects_count = 1;
  call.rule = "a-rule";
  return call;
}

inline proxy::replay::Timeline mission(const std::vector<proxy::replay::Call>& calls) {
  proxy::replay::Timeline timeline;
  timeline.span = {"m-1", 1};
  timeline.start = timeline.end = 1000 * second;
  timeline.workspace = "/w";
  timeline.entries.emplace_back(proxy::replay::Event{.kind = proxy::replay::Event::Kind::mission,
                                                     .record = 1,
                                                     .time = timeline.start,
                                                     .type = "mission_start",
                                                     .text = "mission began"});
  for (const auto& each : calls) {
    timeline.entries.emplace_back(each);
    timeline.end = each.time;
  }
  return timeline;
}

}  // namespace missions
