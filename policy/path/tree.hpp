#pragma once
// What stands below a directory now: a recursive effect that meets no deny there needs no person.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "policy/effect.hpp"
#include "policy/path/worktree.hpp"
#include "policy/scene.hpp"

namespace policy {

inline constexpr std::size_t tree_names_max = 100'000;

struct Below {
  std::string tail;  // `/a`, `/a/b`
  bool directory = false;
};

// The trees that one judgement has looked at, each once.
class Trees {
 public:
  // Borrows.
  explicit Trees(const Links& links) : links_(links), worktrees_(links) {}

  // All of that part which stands below a directory without links; no link is followed. Of what git tracks
  // also what does not stand there any more: it can bring it back. Where its index is not known
  // (path/worktree.hpp), every part is all. nullptr: not known, or more than tree_names_max are there or
  // tracked. A view into this.
  const std::vector<Below>* below(const std::string& directory, GitPart part);

 private:
  using Names = std::optional<std::vector<Below>>;
  Names names(const std::string& directory, GitPart part);
  // Of its index, from the top; nullptr: not known.
  const std::vector<std::string>* tracked(const Worktree& worktree);

  const Links& links_;
  Worktrees worktrees_;
  std::map<std::pair<std::string, GitPart>, Names> trees_;
  std::map<std::string, std::optional<std::vector<std::string>>> tracked_;  // by where the index is
};

}  // namespace policy
