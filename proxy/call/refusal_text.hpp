#pragma once
// What the requester of a call reads that was not, or not yet, executed: a code and one sentence that helps
// it go on. Pure.

#include <cstdint>
#include <string>

#include "policy/decision.hpp"
#include "proxy/call/answers.hpp"
#include "proxy/call/direction.hpp"
#include "proxy/call/flow.hpp"

namespace proxy {

struct RefusedCall {
  WhyRefused why = WhyRefused::failed;
  Direction direction = Direction::to_server;
  bool forwarded = false;
  std::uint64_t ask = 0;      // timed_out, pending: the ask it waited on
  policy::Decision decision;  // denied
  std::string because;        // denied, by_operator: a reason in place of the rule's; may be empty
};

AnswerCode refusal_code(WhyRefused why);
std::string refusal_text(const RefusedCall& call);

}  // namespace proxy
