#include "policy/path/submodules.hpp"

#include "policy/path/components.hpp"
#include "policy/path/git_index.hpp"
#include "policy/path/path.hpp"

namespace policy {

bool may_enter_other_repository(const Worktree& worktree, const Links& links) {
  if (worktree.git.empty()) return true;
  const std::string modules = path_in(worktree.common.empty() ? worktree.git : worktree.common, "modules");
  std::vector<Worktree> waiting{worktree};
  std::size_t left = submodules_max;
  while (!waiting.empty()) {
    const Worktree at = std::move(waiting.back());
    waiting.pop_back();
    const std::string index = path_in(at.git, "index");
    if (!links.standing(index).kind) continue;  // nothing was added yet
    const auto bytes = links.text(index, index_bytes_max);
    const auto names = bytes ? read_submodules(*bytes) : std::nullopt;
    if (!names || names->size() > left) return true;
    left -= names->size();
    for (const std::string& name : *names) {
      const std::string top = path_in(at.top, name);
      const auto kind = links.standing(path_in(top, ".git")).kind;
      if (!kind) continue;  // not checked out
      if (kind != Links::Kind::file) return true;
      const std::string real = git_folder(top, links);
      if (real.empty() || real == modules || !same_or_below(real, modules)) return true;
      waiting.push_back({.top = top, .git = real});
    }
  }
  return false;
}

}  // namespace policy
