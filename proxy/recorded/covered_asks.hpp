#pragma once
// The asks that a grant answers though nobody holds their calls any more: the agent was told to come back,
// and will pass by the grant.

#include <vector>

#include "approvals/asks.hpp"
#include "ledger/reader.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy {

// Of the same agent, in the same mission; `grant` is its record's number. What cannot be judged again is left
// out.
std::vector<approvals::AskAt> covered_asks(const ledger::Reader& reader, const Surroundings& here,
                                           std::uint64_t grant);

}  // namespace proxy
