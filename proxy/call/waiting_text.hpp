#pragma once
// For whoever sees callgate's log: that a call waits, and what for.

#include <cstdint>
#include <string>

#include "policy/decision.hpp"

namespace proxy {

// `called`: `SERVER/TOOL`.
std::string waiting_text(std::uint64_t ask, const std::string& called, const policy::Decision& decision);

// A call whose answer waits.
struct AnsweredCall {
  std::uint64_t number = 0;  // of the decision that let it pass
  std::string called;        // `SERVER/TOOL`
  const policy::Decision& decision;
};
// The same of its answer.
std::string answer_waiting_text(std::uint64_t ask, const AnsweredCall& call,
                                const policy::Decision& decision);

}  // namespace proxy
