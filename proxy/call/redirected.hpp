#pragma once
// A request as a redirect passes it on: its bytes with the arguments that change, and nothing else, changed.

#include "policy/decision.hpp"
#include "proxy/base/error.hpp"
#include "transports/message.hpp"

namespace proxy {

// Error: what comes out is not exactly the call that was judged.
base::Result<transports::Message> redirected(const transports::Message& request,
                                             const policy::Redirected& changes);

}  // namespace proxy
