#pragma once
// The worktree of git that a directory lies in, found as git finds it (gitrepository-layout(5)).

#include <optional>
#include <string>
#include <vector>

#include "policy/scene.hpp"
#include "proxy/base/by_text.hpp"

namespace policy {

inline constexpr std::size_t git_file_bytes_max = 1u << 16;

struct Worktree {
  std::string top;  // that `:/` starts at, without links; where it is not known, the highest that may be it
  bool known = false;  // all of it: by another layout, or a setting, another worktree may be meant
  std::string git;     // where its index is
  std::string common;  // where `info/exclude` is
};

// Where the `.git` of a directory leads: itself, or what a file of that name says. Empty: not known.
std::string git_folder(const std::string& directory, const Links& links);

// Of a directory without links: upwards, the first with a `.git`, or that looks like a repository itself.
// nullopt: none, so that git does nothing there.
std::optional<Worktree> worktree_of(const std::string& directory, const Links& links);

// Those of one judgement: each directory is looked at once.
class Worktrees {
 public:
  // Borrows.
  explicit Worktrees(const Links& links) : links_(links) {}
  // As `worktree_of`, of a directory that may be reached through links. A reference into this.
  const std::optional<Worktree>& of(const std::string& directory);
  // Whether git finds in one what it finds in the other, as far as that is known.
  bool same(const std::string& directory, const std::string& other);

 private:
  const Links& links_;
  base::ByText<std::optional<Worktree>> known_;
};

// What the worktree's index tracks, as paths below its top; nullopt: not known.
std::optional<std::vector<std::string>> tracked_names(const Worktree& worktree, const Links& links);

}  // namespace policy
