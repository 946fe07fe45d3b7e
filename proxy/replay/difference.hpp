#pragma once
// What two missions differ in: configuration, calls of one alone, and calls of both that went otherwise.
// Pure.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "proxy/replay/timeline.hpp"

namespace proxy::replay {

struct Setting {     // that differs
  std::string name;  // `agent`, `commit`, `policy`, `server files`, `tools of files`
  std::string a, b;  // empty: none
  bool operator==(const Setting&) const = default;
};

struct Pair {  // one call, made in both
  const Call* a = nullptr;
  const Call* b = nullptr;
  std::vector<std::string> changed;     // of `decision`, `rule`, `outcome`, `result`
  bool slower = false, faster = false;  // B: twice, and by 100 ms; alone no difference
};

struct Difference {
  std::vector<Setting> settings;
  std::vector<const Call*> removed, added;  // made in A, in B alone
  std::vector<Pair> changed;                // that differ, or took another time
  std::size_t same = 0;                     // pairs that differ in nothing
  std::size_t unknown = 0;  // calls whose arguments are gone, in both: known by nothing, left out
  bool any() const;
};

// Calls are the same by server, method, tool and arguments (request_key.hpp), in the order of each mission
// (align.hpp). Left out are calls that were judged again, before, and what was asked about answers. The
// timelines must have been read with their results, and outlive what is returned.
Difference difference_of(const Timeline& a, const Timeline& b);

nlohmann::ordered_json difference_json(const Difference& difference, const Timeline& a, const Timeline& b);
// Printable lines.
std::vector<std::string> difference_lines(const Difference& difference, const Timeline& a, const Timeline& b);

}  // namespace proxy::replay
