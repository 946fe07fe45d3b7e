#include "policy/known_links.hpp"

namespace policy {

std::optional<std::string> KnownLinks::target(const std::string& path) const {
  if (const auto known = known_.find(path); known != known_.end()) return known->second;
  if (no_link(path)) return std::nullopt;
  std::optional<std::string> target = links_.target(path);
  if (known_.size() < known_links_max) known_.emplace(path, target);
  return target;
}

// Many rules that begin in one folder ask for each name in it.
bool KnownLinks::no_link(const std::string& path) const {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos || folders_.size() >= known_links_max) return false;
  Folder& folder = folders_[path.substr(0, slash)];
  if (++folder.asked == listed_after) {
    const auto entries = links_.entries(slash == 0 ? "/" : path.substr(0, slash), listed_entries_max);
    if (!entries) return false;
    folder.links.emplace();
    for (const Entry& entry : *entries)
      if (entry.kind == Entry::Kind::link) folder.links->insert(entry.name);
  }
  return folder.links && !folder.links->contains(path.substr(slash + 1));
}

}  // namespace policy
