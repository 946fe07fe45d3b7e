#pragma once
// Which commit stands in a git working tree, read from git's own files: nothing of the repository is run.

#include <string>

namespace proxy {

// The commit checked out in the working tree that holds the path (absolute), 40 or 64 hex digits. Empty: none
// holds it, its branch has no commit yet, or what stands there is not understood (a `reftable` repository).
// The files may be in the commit or not, and differ from it.
std::string checked_out_commit(const std::string& path);

}  // namespace proxy
