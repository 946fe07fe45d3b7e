#pragma once
// Whether the operator trusts the bytes of the workspace's repository policy.

#include "policy/layers.hpp"
#include "proxy/surroundings.hpp"

namespace proxy {

// On record and signed, by the ledger as it stands when it is asked; without a ledger nothing is trusted.
// `here` outlives it.
policy::Trusted trusted_on_record(const Surroundings& here);

}  // namespace proxy
