#pragma once
// A request as the policy is asked about it.

#include <optional>

#include "policy/scene.hpp"
#include "transports/message.hpp"

namespace proxy {

// `where`: what is the same for all calls of a session. Nothing when the bytes that are judged cannot be
// read.
std::optional<policy::Call> described_call(policy::Call where, const transports::Message& message);

}  // namespace proxy
