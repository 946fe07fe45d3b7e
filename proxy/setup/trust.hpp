#pragma once
// Whether the operator trusts the bytes of the workspace's repository policy.

#include <optional>
#include <string>
#include <vector>

#include "ledger/fold.hpp"
#include "policy/load/layers.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy {

// The operator's word for the repository policy of a workspace (its digest), or for what else stands in that
// place: on record and signed, by the ledger as it stands when it is asked; nullopt: none, or no ledger yet.
// Error: the ledger cannot be read.
base::Result<std::optional<ledger::Trust>> trust_on_record(const Surroundings& here,
                                                           const base::Digest& what);
// Digest of the repository policy that is trusted for this workspace, as long as no session has gone over to
// another since.
base::Result<std::optional<base::Digest>> trusted_digest(const Surroundings& here);

// As trust_on_record() has it, with the bytes that the word was given for; none where they are not kept any
// more.
struct TrustedFile {
  ledger::Trust trust;
  std::optional<std::string> bytes;
};
base::Result<std::optional<TrustedFile>> trusted_file(const Surroundings& here, const base::Digest& what);

// The same as a question; no, where the ledger cannot be read. `here` outlives it.
policy::Trusted trusted_on_record(const Surroundings& here);

// Of bytes of the repository's file that are not trusted: why, to follow the file's name.
std::string why_untrusted(const Surroundings& here, const std::string& bytes);

// A sentence for the operator where allow rules of the repository stand untrusted among `sources`, and so do
// not count; empty: none do.
std::string trust_notice(const Surroundings& here, const std::vector<policy::Source>& sources);

}  // namespace proxy
