#pragma once
// What sessions under way judge by, as the ledger has it.

#include <cstdint>
#include <vector>

#include "ledger/reader.hpp"
#include "policy/policy.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy {

struct InForce {
  std::uint64_t record = 0;  // `policy_loaded` or `policy_changed`, of the last that could be read
  policy::Policy policy;
};

// Of each run in this workspace whose mission is active and its agent there, newest first. Of a
// run that was killed nobody knows it before its mission ends or another run starts. `built_in`: the layers
// built in here, which are not on record. Left out is what is not kept any more.
base::Result<std::vector<InForce>> policies_in_force(const ledger::Reader& reader, const Surroundings& here,
                                                     const std::vector<policy::Source>& built_in);

// Whether no run in this workspace judges by another policy than this one: told by the fold alone, without
// the records that policies_in_force() reads. May say no wrongly, never yes.
base::Result<bool> only_in_force(const ledger::Reader& reader, const Surroundings& here,
                                 const base::Digest& policy);

// Of a policy that was loaded here, the layers built in that loading does not add by itself.
std::vector<policy::Source> built_in_here(const policy::Policy& policy);

// The policy of one such record, for a workspace and its home as they are here.
base::Result<policy::Policy> policy_on_record(const ledger::Reader& reader,
                                              const ledger::StoredRecord& stored, const Surroundings& here,
                                              const std::vector<policy::Source>& built_in);

}  // namespace proxy
