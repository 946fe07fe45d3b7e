#pragma once
// Whether a change of policy files only narrows what passes: such a change holds at once, any other waits for
// the operator.

#include <vector>

#include "policy/pattern/pattern.hpp"
#include "policy/policy.hpp"

namespace policy {

// By what the files say, file by file: each allow that is there covers no more than one of before did, each
// deny and ask of before is there still or takes in more (less.hpp), no default is looser. A new ask, or one
// that takes in more, is there only where it was asked for before anyway, by rules or by the default: else it
// takes the place of a default that denies. Declarations and rules that redirect calls stay as they are. What
// a repository's file allows is its trust's affair: with the operator's trust in these very bytes all of it
// may change. The baseline goes where the operator trusts the repository's file. False where a file cannot
// be read. May say no wrongly, never yes.
bool only_narrows(const std::vector<Source>& before, const std::vector<Source>& after,
                  const Anchors& anchors);

// The same of one of the files, as if both were trusted.
bool only_narrows(const Source& before, const Source& after, const std::vector<Source>& all_before,
                  const Anchors& anchors);

}  // namespace policy
