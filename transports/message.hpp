#pragma once
// One JSON-RPC message as its exact bytes, with what a proxy must know of it read strictly beside them.
// What was judged is what is forwarded: nothing here is ever re-serialised.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/base/error.hpp"
#include "transports/limits.hpp"

namespace transports {

enum class Kind { request, notification, response };

// A piece of Message::bytes.
struct Span {
  std::size_t offset = 0;
  std::size_t size = 0;
  bool present() const { return size != 0; }
};

struct Message {
  std::string bytes;  // one line without its newline
  Kind kind = Kind::notification;
  std::string id;  // as spelled, quotes included (`1` and `"1"` differ); empty for notifications. Look up by
                   // id_key() (id.hpp)
  std::string method;  // unescaped; empty for responses
  Span params;         // the raw value
  // Of requests, from inside params; empty or absent where they are not.
  std::string name;    // params.name, unescaped string
  Span arguments;      // params.arguments, raw value
  std::string beside;  // of a tools/call: the members of params beside name, arguments and _meta, as one
                       // JSON object of their keys and raw values, in their order; empty: there are none
  std::string progress_token;  // params._meta.progressToken (params.progressToken in notifications/progress),
                               // as spelled
  std::string request_id;      // notifications/cancelled: params.requestId, as spelled
  bool modern = false;         // params._meta has `io.modelcontextprotocol/protocolVersion`
  // Of responses.
  bool is_error = false;    // has `error`
  bool tool_error = false;  // result.isError is true
  bool more = false;        // members beside those that a response has
  Span result;              // the raw value of result or error

  std::string_view at(Span span) const { return std::string_view(bytes).substr(span.offset, span.size); }
};

// Why a line is not passed on. The id is what could be read of it, for the error answer: a string, any number
// that JSON allows (`1.0` and `9007199254740993` are echoed as spelled, the sender knows them so) or `null`.
struct Refusal {
  std::string id;  // as spelled, at most 256 bytes; empty: none could be read, the answer's id is `null`
  // It is a request, or cannot be told from one: the sender may wait for an answer. Towards a server answer
  // only with an id: one that prints garbage and complains on its output about our answer would keep us
  // talking for ever.
  bool answerable = false;
  bool request = false;  // surely no answer: what the other side asked under the same id is not touched
  int code = -32600;     // JSON-RPC: -32700 parse, -32600 invalid request
  base::Error error;
};

// Either a message or the reason to refuse. boost::system::result with Refusal as the error.
class Parsed {
 public:
  Parsed(Message message) : message_(std::move(message)) {}
  Parsed(Refusal refusal) : refusal_(std::move(refusal)) {}
  explicit operator bool() const { return message_.has_value(); }
  Message& message() { return *message_; }
  Refusal& refusal() { return refusal_; }

 private:
  std::optional<Message> message_;
  Refusal refusal_;
};

// Strict: JSON as in base/json.hpp, one object, no carriage return but at the end of the line, `jsonrpc` is
// "2.0", known keys in their exact spelling and no case variants of them (after unescaping and Unicode simple
// case folding), id a string or an integer within ±2^53 (of at most 256 bytes), request or response and not
// both, `params` an object (or absent), `arguments` of tools/call and prompts/get an object or absent and
// their `name` a string, `_meta` an object, its progress token shaped like an id. Batches are refused here
// (batch.hpp takes them apart), and requests that have effects but no id. White space around the object is
// legal and stays. Unknown keys pass. The known keys of params are those that a call is judged by
// (message_fields.cpp).
Parsed parse(std::string line, const Limits& limits);

}  // namespace transports
