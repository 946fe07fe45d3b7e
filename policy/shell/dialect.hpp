#pragma once
// Where shells read a line in different ways. A line for `sh` may be read by bash, dash or another; one for
// zsh is read as bash would where both do the same.

#include <string>
#include <string_view>

#include "policy/shell/tree.hpp"

namespace policy::shell {

enum class Dialect { bash, posix, zsh };

// What shells of the dialect may read otherwise than the tree says; empty: nothing.
std::string trouble_with_dialect(std::string_view line, const List& tree, Dialect dialect);

}  // namespace policy::shell
