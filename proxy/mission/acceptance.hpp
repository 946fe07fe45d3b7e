#pragma once
// What the operator accepts by one word each (`callgate policy accept`): the files that all sessions of a
// workspace share, and the file of `--policy`, which a session has of its own.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ledger/fold.hpp"

#include "policy/policy.hpp"
#include "proxy/base/error.hpp"
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

// The operator's word for what stands in a place, as the ledger has it; nullopt: none.
using WordFor = std::function<base::Result<std::optional<ledger::Trust>>(const base::Digest& place)>;

// Of `now` the parts that are others than in `was` and for which no word stands that was given since the
// record `since`. A part that `now` does not have (a session was started with `--policy`) is among them as it
// was.
base::Result<std::vector<PolicyPart>> not_accepted(const std::vector<PolicyPart>& was,
                                                   const std::vector<PolicyPart>& now, std::uint64_t since,
                                                   const WordFor& word_for);

}  // namespace proxy
