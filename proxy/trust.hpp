#pragma once
// Whether the operator trusts the bytes of the workspace's repository policy.

#include <optional>
#include <string>
#include <vector>

#include "policy/layers.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/surroundings.hpp"

namespace proxy {

// Digest of the repository policy that is trusted for this workspace, on record and signed, by the ledger as
// it stands when it is asked; nullopt: none, or no ledger yet. Error: the ledger cannot be read.
base::Result<std::optional<base::Digest>> trusted_digest(const Surroundings& here);
// The same of what else the operator's word was given for: `what` stands where the workspace's digest does.
base::Result<std::optional<base::Digest>> trusted_digest(const Surroundings& here, const base::Digest& what);

// The bytes that the operator's word was given for, as trusted_digest() has them; nullopt also where they are
// not kept any more.
base::Result<std::optional<std::string>> trusted_bytes(const Surroundings& here, const base::Digest& what);

// The same as a question; no, where the ledger cannot be read. `here` outlives it.
policy::Trusted trusted_on_record(const Surroundings& here);

// A sentence for the operator where allow rules of the repository stand untrusted among `sources`, and so do
// not count; empty: none do.
std::string trust_notice(const Surroundings& here, const std::vector<policy::Source>& sources);

}  // namespace proxy
