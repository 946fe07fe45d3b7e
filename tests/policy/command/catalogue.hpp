#pragma once
// What a line comes to by the catalogue, for tests.

#include <algorithm>
#include <string>
#include <vector>

#include "policy/command/runs.hpp"
#include "tests/catch.hpp"
#include "tests/policy/command/commands.hpp"

namespace policy_tests {

using Told = std::vector<std::string>;

inline bool understood(const Told& told) {
  return std::none_of(told.begin(), told.end(), [](const std::string& each) { return each.ends_with('?'); });
}

// Lines of which nothing is left open.
inline void check_understood(const std::vector<const char*>& lines) {
  for (const char* line : lines) {
    INFO(line);
    const Told effects = told(line);
    CAPTURE(effects);
    CHECK(understood(effects));
  }
}

inline void check_open(const std::vector<const char*>& lines) {
  for (const char* line : lines) {
    INFO(line);
    CHECK_FALSE(understood(told(line)));
  }
}

struct Row {
  const char* line;
  Told told;  // beside the run itself
};

inline void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    INFO(row.line);
    Told expected = row.told;
    expected.push_back("run " + std::string(row.line));
    std::sort(expected.begin(), expected.end());
    CHECK(told(row.line) == expected);
  }
}

}  // namespace policy_tests
