#include "policy/tree.hpp"

namespace policy {

std::optional<std::vector<Below>> names_below(const std::string& directory, const Links& links) {
  std::vector<Below> found;
  std::vector<std::string> waiting{""};
  const std::string start = directory == "/" ? "" : directory;
  while (!waiting.empty()) {
    const std::string tail = std::move(waiting.back());
    waiting.pop_back();
    const auto entries = links.entries(start + tail + (start.empty() && tail.empty() ? "/" : ""),
                                       tree_names_max - found.size());
    if (!entries) return std::nullopt;
    for (const Links::Entry& entry : *entries) {
      found.push_back({tail + '/' + entry.name, entry.kind == Links::Entry::Kind::directory});
      if (found.back().directory) waiting.push_back(found.back().tail);
    }
  }
  return found;
}

}  // namespace policy
