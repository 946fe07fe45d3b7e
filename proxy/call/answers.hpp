#pragma once
// The few messages that callgate makes itself, as lines without their newline. Ids and tokens are put in as
// spelled.

#include <cstdint>
#include <string>
#include <string_view>

#include "transports/message.hpp"

namespace proxy {

// Codes outside the range that JSON-RPC and MCP reserve (-32768 … -32000).
enum class AnswerCode {
  denied = -31001,
  pending = -31002,
  failed = -31003,
  peer_gone = -31004,
  timed_out = -31005,
};

// To a message that is not passed on. An empty id becomes null.
std::string refusal_answer(const transports::Refusal& refusal);

// To a request that was judged and is not, or not yet, executed. For tools/call a result with isError (it
// reads better for the model), else a JSON-RPC error. `modern` adds resultType.
std::string call_answer(const transports::Message& request, AnswerCode code, std::string_view text);

std::string error_answer(std::string_view id, AnswerCode code, std::string_view text);

// notifications/progress for a held call.
std::string progress_notification(std::string_view token, std::uint64_t progress, std::string_view text);

// A JSON string literal of valid UTF-8 text.
std::string json_string(std::string_view text);

}  // namespace proxy
