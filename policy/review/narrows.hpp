#pragma once
// Whether a change of policy files only narrows what passes: such a change holds at once, any other waits for
// the operator.

#include <vector>

#include "policy/policy.hpp"

namespace policy {

// By what the files say, rule by rule: allows of before may be gone, denies may be new, and asks where the
// default asks, too: a new ask takes the place of a default that denies. A rule that was changed is one that
// is gone and one that is new. Defaults, declarations and rules that redirect calls stay as they are. What a
// repository's file allows is its trust's affair: with the operator's trust in these very bytes all of it may
// change. False where a file cannot be read. The baseline goes where the operator trusts the repository's
// file.
bool only_narrows(const std::vector<Source>& before, const std::vector<Source>& after);

// The same of one of the files, as if both were trusted.
bool only_narrows(const Source& before, const Source& after, const std::vector<Source>& all_before);

}  // namespace policy
