#pragma once
// What a call does to git before it asks git for something.

#include <span>

#include "policy/effect.hpp"

namespace policy {

// Whether one of the effects may change what git tracks or ignores, or where, before another one happens:
// then what is on the disk now tells nothing of either.
bool may_change_git(std::span<const Effect> effects);

}  // namespace policy
