#include "policy/path/tree.hpp"

#include <set>

#include "policy/path/ignored.hpp"

namespace policy {

namespace {

// `left_out`: nullptr: nothing is.
std::optional<std::vector<Below>> walk(const std::string& directory, const Links& links, Ignored* left_out) {
  std::vector<Below> found;
  std::vector<std::string> waiting{""};
  const std::string start = directory == "/" ? "" : directory;
  while (!waiting.empty()) {
    const std::string tail = std::move(waiting.back());
    waiting.pop_back();
    const auto entries = links.entries(start + tail + (start.empty() && tail.empty() ? "/" : ""),
                                       tree_names_max - found.size());
    if (!entries) return std::nullopt;
    if (left_out != nullptr) left_out->enter(start + tail, *entries);
    for (const Links::Entry& entry : *entries) {
      const bool folder = entry.kind == Links::Kind::directory;
      if (left_out != nullptr && left_out->has(start + tail + '/' + entry.name, folder)) continue;
      found.push_back({tail + '/' + entry.name, folder});
      if (folder) waiting.push_back(found.back().tail);
    }
  }
  return found;
}

// Those below the directory, and the folders that they lie in.
std::vector<Below> tails(const std::vector<std::string>& names, const std::string& top,
                         const std::string& directory) {
  const std::string root = top == "/" ? "" : top;
  const std::string start = directory == "/" ? "" : directory;
  std::vector<Below> found;
  std::set<std::string, std::less<>> folders;
  for (const std::string& name : names) {
    const std::string path = root + '/' + name;
    if (!path.starts_with(start + '/')) continue;
    found.push_back({path.substr(start.size()), false});
    const std::string& tail = found.back().tail;
    for (std::size_t slash = tail.find('/', 1); slash != std::string::npos; slash = tail.find('/', slash + 1))
      folders.insert(tail.substr(0, slash));
  }
  for (const std::string& folder : folders) found.push_back({folder, true});
  return found;
}

}  // namespace

const std::vector<Below>* Trees::below(const std::string& directory, GitPart part) {
  const std::pair what(directory, part);
  auto known = trees_.find(what);
  if (known == trees_.end()) known = trees_.emplace(what, names(directory, part)).first;
  return known->second ? &*known->second : nullptr;
}

const std::vector<std::string>* Trees::tracked(const Worktree& worktree) {
  auto known = tracked_.find(worktree.git);
  if (known == tracked_.end()) known = tracked_.emplace(worktree.git, tracked_names(worktree, links_)).first;
  return known->second ? &*known->second : nullptr;
}

Trees::Names Trees::names(const std::string& directory, GitPart part) {
  if (part == GitPart::all) return walk(directory, links_, nullptr);
  const auto& worktree = worktrees_.of(directory);
  const std::vector<std::string>* index = worktree && worktree->known ? tracked(*worktree) : nullptr;
  if (index == nullptr) return walk(directory, links_, nullptr);
  std::vector<Below> found = tails(*index, worktree->top, directory);
  if (part == GitPart::added) {
    Ignored ignored(*worktree, directory, links_);
    auto there = walk(directory, links_, &ignored);
    if (!there) return std::nullopt;
    found.insert(found.end(), std::make_move_iterator(there->begin()), std::make_move_iterator(there->end()));
  }
  if (found.size() > 2 * tree_names_max) return std::nullopt;
  return found;
}

}  // namespace policy
