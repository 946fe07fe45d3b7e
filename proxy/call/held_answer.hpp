#pragma once
// An answer that a rule asks for before it is passed on, in the shape of a call, so that it is judged,
// recorded, held and released like one. Pure.

#include <string>

#include "policy/decision.hpp"
#include "policy/scene.hpp"
#include "proxy/call/answer_check.hpp"
#include "transports/message.hpp"

namespace proxy {

// Method `result`; judged of it is the raw value of result or error as it would be passed on, without
// the note of a redirect.
transports::Message answer_message(const transports::Message& request, const CheckedAnswer& checked);
// The same as rules have it: the tool is that of the request. Where the value is no JSON, without it.
policy::Call answer_call(policy::Call where, const transports::Message& request,
                         const CheckedAnswer& checked);
// One effect, and a reason for each rule that asks; of a withheld answer that of the rule that withholds.
policy::Decision answer_decision(const transports::Message& request, const CheckedAnswer& checked);

}  // namespace proxy
