#pragma once
// Which entries of a timeline are shown. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proxy/replay/timeline.hpp"

namespace proxy::replay {

// Only entries that fit all that is given. What says something of calls alone (server, tool, decision,
// violations) leaves out all events.
struct Filter {
  std::string server, tool, decision;  // tool: or method; empty: any
  std::string grep;                    // stands in a text of it, in any case (ASCII)
  bool violations = false;
  std::optional<std::int64_t> since;  // UTC ns, not before

  bool any() const;
  bool operator==(const Filter&) const = default;
};

bool fits(const Filter& filter, const Entry& entry);

// Whether `text`, in any case (ASCII), stands in server, tool, effects, rule, why, rationale, violations,
// what was found, or the first argument_bytes_max of the arguments; of an event, in its text.
bool mentions(const Entry& entry, const std::string& text);

// Of the entries, by their places.
std::vector<std::size_t> fitting(const Timeline& timeline, const Filter& filter);

}  // namespace proxy::replay
