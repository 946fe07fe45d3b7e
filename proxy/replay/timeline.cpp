#include "proxy/replay/timeline.hpp"

namespace proxy::replay {

const char* name(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::mission: return "mission";
    case Event::Kind::session: return "session";
    case Event::Kind::tools: return "tools";
    case Event::Kind::policy: return "policy";
    case Event::Kind::grant: return "grant";
    case Event::Kind::trouble: return "trouble";
    case Event::Kind::clock: return "clock";
    case Event::Kind::other: return "other";
  }
  return "other";
}

std::int64_t time_of(const Entry& entry) {
  return std::visit([](const auto& each) { return each.time; }, entry);
}

std::uint64_t record_of(const Entry& entry) {
  return std::visit([](const auto& each) { return each.record; }, entry);
}

Totals totals_of(const Timeline& timeline) {
  Totals totals;
  for (const Entry& entry : timeline.entries) {
    const Call* call = std::get_if<Call>(&entry);
    if (call == nullptr) continue;
    ++totals.calls;
    totals.violations += call->breaches.size();
    if (call->is_error) ++totals.errors;
    if (!call->result.empty()) ++totals.withheld;
    if (call->decision == "ALLOW") ++totals.allowed;
    if (call->decision == "DENY") ++totals.denied;
    if (call->decision != "ASK") continue;
    ++totals.asked;
    if (!call->answer)
      ++totals.unanswered;
    else
      ++(call->answer->verdict == "allow" ? totals.approved : totals.refused);
    if (call->settled && !call->joins) totals.waited += *call->settled - call->time;
  }
  return totals;
}

}  // namespace proxy::replay
