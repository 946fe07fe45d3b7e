#pragma once
// For whoever sees callgate's log: that a call waits, and what for.

#include <cstdint>
#include <string>

#include "policy/decision.hpp"

namespace proxy {

// `called`: `SERVER/TOOL`.
std::string waiting_text(std::uint64_t ask, const std::string& called, const policy::Decision& decision);
// The same of an answer.
std::string answer_waiting_text(std::uint64_t ask, const std::string& called,
                                const policy::Decision& decision);

}  // namespace proxy
