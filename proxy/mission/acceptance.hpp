#pragma once
// What the operator accepts by one word each (`callgate policy accept`): the files that all sessions of a
// workspace share, and the file of `--policy`, which a session has of its own.

#include <string>
#include <vector>

#include "policy/policy.hpp"
#include "proxy/base/sha256.hpp"

namespace proxy {

struct PolicyPart {
  base::Digest place{};   // what the word is known by, in the place of a workspace (ledger/FORMAT.md)
  std::string statement;  // what it signs: each layer with the digest of its file
};

// The shared part first; the other where there is a file of `--policy`, known by its absolute path.
std::vector<PolicyPart> parts_of(const policy::Policy& policy, const std::string& workspace);

// `PLACE:STATEMENT …`, both as digests, as the records of policies have it: by it a word ends that was given
// for another statement.
std::string parts_text(const std::vector<PolicyPart>& parts);

}  // namespace proxy
