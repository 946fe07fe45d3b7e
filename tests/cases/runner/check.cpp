#include "tests/cases/runner/check.hpp"

#include <algorithm>
#include <sstream>

namespace cases {

namespace {

// Why `wanted` does not hold, or empty. `next` is the first entry that plain objects may match.
std::string check_one(const Json& wanted, const std::vector<Entry>& entries, std::size_t& next) {
  if (wanted.contains("never") || wanted.contains("count")) {
    const bool never = wanted.contains("never");
    const Json& pattern = never ? wanted["never"] : wanted.at("of");
    const auto count = std::count_if(entries.begin(), entries.end(), [&](const Entry& entry) {
      return agent::matches(pattern, entry.value);
    });
    const long allowed = never ? 0 : wanted["count"].get<long>();
    return count == allowed ? std::string()
                            : "found " + std::to_string(count) + " instead of " + std::to_string(allowed) +
                                  " of " + pattern.dump();
  }
  if (wanted.contains("exact")) {
    const bool found = std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
      return entry.line == wanted["exact"].get<std::string>();
    });
    return found ? std::string() : "there is no entry with exactly the bytes " + wanted["exact"].dump();
  }
  for (std::size_t at = next; at < entries.size(); ++at) {
    if (!agent::matches(wanted, entries[at].value)) continue;
    next = at + 1;
    return {};
  }
  return "there is no entry (after the one before) like " + wanted.dump();
}

}  // namespace

std::vector<Entry> read_entries(const std::string& text) {
  std::vector<Entry> entries;
  const Json whole = Json::parse(text, nullptr, false);
  if (whole.is_array()) {
    for (const Json& item : whole) entries.push_back({item.dump(), item});
    return entries;
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) entries.push_back({line, Json::parse(line, nullptr, false)});
  }
  return entries;
}

std::string check_entries(const std::string& expected, const std::vector<Entry>& entries) {
  std::istringstream lines(expected);
  std::size_t next = 0;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find_first_not_of(" \t") == std::string::npos || line[0] == '#') continue;
    const std::string wrong = check_one(Json::parse(line), entries, next);
    if (!wrong.empty()) return "line " + std::to_string(number) + ": " + wrong;
  }
  return {};
}

}  // namespace cases
