#include "policy/path/tree.hpp"

#include "policy/path/ignored.hpp"

namespace policy {

std::optional<std::vector<Below>> names_below(const std::string& directory, const Links& links,
                                              GitPart part) {
  std::vector<Below> found;
  std::vector<std::string> waiting{""};
  const std::string start = directory == "/" ? "" : directory;
  std::optional<Ignored> ignored;
  if (part != GitPart::all) ignored.emplace(directory, links);
  while (!waiting.empty()) {
    const std::string tail = std::move(waiting.back());
    waiting.pop_back();
    const auto entries = links.entries(start + tail + (start.empty() && tail.empty() ? "/" : ""),
                                       tree_names_max - found.size());
    if (!entries) return std::nullopt;
    if (ignored) ignored->enter(start + tail);
    for (const Links::Entry& entry : *entries) {
      const bool folder = entry.kind == Links::Entry::Kind::directory;
      if (ignored && (entry.name == ".git" || ignored->has(start + tail + '/' + entry.name, folder)))
        continue;
      found.push_back({tail + '/' + entry.name, folder});
      if (folder) waiting.push_back(found.back().tail);
    }
  }
  return found;
}

}  // namespace policy
