#pragma once
// The layer in the binary: denials that always stand, and the baseline where no other policy does.

#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.hpp"

namespace policy {

// Denies what would take callgate itself out of the way: its policies, configuration, state, the MCP
// configurations of agents, operator commands. Names the usual folders under `~`.
Source built_in_source();

// The same for folders that stand elsewhere (XDG_…_HOME, links): writing `configuration`, any use of `state`.
// Absolute paths; each may be empty.
Source built_in_folders(const std::vector<std::string>& configuration, const std::vector<std::string>& state);

// In place of a policy that cannot be had: denies everything and says why (`file:line:column: what` where
// there is a file). `is_unreadable` knows its rule in a reason.
Source unreadable_source(std::string_view why);
bool is_unreadable(const Reason& reason);
bool is_unreadable(const Source& source);

// policy/catalogue/baseline.toml
inline constexpr const char* baseline_file = "baseline";
Source baseline_source();

// Over all data that is built in and decides: the catalogue, the detectors, the baseline, these denials.
base::Digest built_in_digest();

}  // namespace policy
