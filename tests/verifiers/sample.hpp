#pragma once
// A ledger with a record of every type that has a meaning today, in each of the forms that a body may take.

#include <string>

namespace verifiers {

// `folder` must not be there. Holds all keys afterwards: keys/operator.key, keys/ledger.key,
// keys/payloads.key. Returns the verifier key of its first checkpoints.
// `removals`: also a purge and an erasure; then many a thing that is changed makes them unsound, too.
std::string make_sample(const std::string& folder, bool removals);

}  // namespace verifiers
