#pragma once
// Whether the policy files of a session that asked can still be read: while one cannot, the session denies
// every call, one that was approved, too.

#include <optional>

#include "ledger/reader.hpp"
#include "proxy/base/error.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy {

// What is wrong, with its place. nullopt: nothing, or where the session runs is not on record.
std::optional<base::Error> broken_policy(const ledger::Reader& reader, const Surroundings& here,
                                         const ledger::Record& ask);

}  // namespace proxy
