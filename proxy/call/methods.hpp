#pragma once
// Which requests are judged. What is not listed here is judged: a request that callgate does not know may
// have effects.

#include <string_view>

#include "proxy/call/direction.hpp"

namespace proxy {

// True: passes without a decision (initialize, ping, */list, tasks/get, …).
bool is_free(Direction direction, std::string_view method);

// How the model is told of a refusal: as a tool result (true) or as a JSON-RPC error.
bool answers_with_tool_result(std::string_view method);

}  // namespace proxy
