#pragma once
// What a session under way makes of policy files that have changed. The session itself asks
// (policy_updates.hpp), and so do the commands that say what it does.

#include <cstdint>
#include <string>
#include <vector>

#include "policy/policy.hpp"
#include "proxy/base/error.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy {

// The repository's file among them; nullptr: there is none.
const policy::Source* repository_of(const std::vector<policy::Source>& sources);

struct NextPolicy {
  policy::Policy policy;
  bool withdrawn = false;  // the operator took the trust in the repository's file back
};

// The files as they stand, as a session reads them that judges by `before`: what only narrows a trusted
// repository's file keeps its trust. `file`: that of --policy, or empty. Error: one cannot be read.
base::Result<NextPolicy> next_policy(const Surroundings& here, const std::string& file,
                                     const policy::Policy& before);

// Whether it judges by them from its next call on, and not only when the operator says so. `since`: the
// record by which `before` is in force.
bool goes_over(const Surroundings& here, const policy::Policy& before, std::uint64_t since,
               const NextPolicy& next);

// Whether nothing but `callgate policy trust` lets all of `next` hold: the repository's file is untrusted in
// it, and is not as `before` had it.
bool trust_comes_first(const policy::Policy& before, const policy::Policy& next);

// The operator is told where the repository's file counts as trusted since it narrows what was, and not by a
// word for its bytes; empty: it does not.
std::string narrowed_notice(const Surroundings& here, const policy::Policy& next);

// The files by which the two differ, quoted, with a comma between; empty: by none.
std::string changed_files(const policy::Policy& before, const policy::Policy& after);

}  // namespace proxy
