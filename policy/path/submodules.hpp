#pragma once
// The repositories below a worktree that git starts itself in: those its index has as submodules. What such a
// one is configured to run then runs.

#include <cstddef>

#include "policy/path/worktree.hpp"

namespace policy {

inline constexpr std::size_t submodules_max = 1000;

// Whether one of them may be another than those that git keeps in the repository's own `modules`. Also where
// the index is not known.
bool may_enter_other_repository(const Worktree& worktree, const Links& links);

}  // namespace policy
