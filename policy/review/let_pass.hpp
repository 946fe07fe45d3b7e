#pragma once
// Of what ask rules ask for although an allow covers it: which exception would let it pass.

#include <string>
#include <vector>

#include "policy/decide.hpp"

namespace policy {

// "add `npm test $` to `except.run` of `node/runs-code` (FILE:LINE)", for each rule that asks, printable.
// Empty: no allow covers the effect, or an exception is not all that it takes. Never so wide that a rule
// would ask no more.
std::string to_let_pass(const Decision& decision, const Reason& reason, const std::vector<Hit>& hits);

}  // namespace policy
