#pragma once
// The worktree of git that a directory lies in, found as git finds it (gitrepository-layout(5)).

#include <optional>
#include <string>
#include <vector>

#include "policy/scene.hpp"

namespace policy {

inline constexpr std::size_t git_file_bytes_max = 1u << 16;

struct Worktree {
  std::string top;  // that `:/` starts at, without links; where it is not known, the highest that may be it
  bool known = false;  // all of it: by another layout, or a setting, another worktree may be meant
  std::string git;     // where its index is
  std::string common;  // where `info/exclude` is
};

// Of a directory without links: upwards, the first with a `.git`, or that looks like a repository itself.
// nullopt: none, so that git does nothing there.
std::optional<Worktree> worktree_of(const std::string& directory, const Links& links);

// What the worktree's index tracks, as paths below its top; nullopt: not known.
std::optional<std::vector<std::string>> tracked_names(const Worktree& worktree, const Links& links);

}  // namespace policy
