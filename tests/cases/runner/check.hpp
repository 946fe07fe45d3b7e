#pragma once
// What must stand on record, or have reached the server, once a case is over.

#include <string>
#include <vector>

#include "examples/agent/match.hpp"

namespace cases {

using agent::Json;

struct Entry {
  std::string line;
  Json value;
};

// JSON Lines, or one JSON list.
std::vector<Entry> read_entries(const std::string& text);

// `expected` is JSON Lines. Plain objects must match entries in this order, others may stand between them;
// {"never": X} and {"count": N, "of": X} look at all entries, {"exact": "…"} wants an entry with exactly
// these bytes. Empty: all is as expected.
std::string check_entries(const std::string& expected, const std::vector<Entry>& entries);

}  // namespace cases
