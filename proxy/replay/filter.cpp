#include "proxy/replay/filter.hpp"

#include <algorithm>

#include "proxy/base/text.hpp"

namespace proxy::replay {
namespace {

bool in(const std::string& text, const std::string& lowered) {
  return base::lower(text).find(lowered) != std::string::npos;
}

bool call_mentions(const Call& call, const std::string& text) {
  for (const std::string* each : {&call.server, &call.tool, &call.method, &call.rule, &call.why, &call.state,
                                  &call.error, &call.found, &call.redirected_by, &call.arguments})
    if (in(*each, text)) return true;
  if (call.answer && in(call.answer->rationale, text)) return true;
  return std::any_of(call.effects.begin(), call.effects.end(),
                     [&](const Effect& each) { return in(each.summary, text) || in(each.rule, text); }) ||
         std::any_of(call.breaches.begin(), call.breaches.end(), [&](const Breach& each) {
           return in(each.kind, text) || in(each.violation_class, text) || in(each.severity, text) ||
                  in(each.rule, text);
         });
}

}  // namespace

bool Filter::any() const { return !(*this == Filter{}); }

bool mentions(const Entry& entry, const std::string& text) {
  const std::string lowered = base::lower(text);
  if (const Call* call = std::get_if<Call>(&entry)) return call_mentions(*call, lowered);
  const Event& event = std::get<Event>(entry);
  return in(event.text, lowered) || in(event.type, lowered);
}

bool fits(const Filter& filter, const Entry& entry) {
  if (filter.since && time_of(entry) < *filter.since) return false;
  if (!filter.grep.empty() && !mentions(entry, filter.grep)) return false;
  const Call* call = std::get_if<Call>(&entry);
  if (call == nullptr)
    return filter.server.empty() && filter.tool.empty() && filter.decision.empty() && !filter.violations;
  return (filter.server.empty() || call->server == filter.server) &&
         (filter.tool.empty() || call->what() == filter.tool) &&
         (filter.decision.empty() || call->decision == filter.decision) &&
         (!filter.violations || !call->breaches.empty());
}

std::vector<std::size_t> fitting(const Timeline& timeline, const Filter& filter) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < timeline.entries.size(); ++i)
    if (fits(filter, timeline.entries[i])) places.push_back(i);
  return places;
}

}  // namespace proxy::replay
