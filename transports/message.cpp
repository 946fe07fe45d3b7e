#include "transports/message.hpp"

#include <algorithm>
#include <array>

#include "proxy/base/json.hpp"
#include "proxy/base/json_string.hpp"
#include "proxy/base/text.hpp"
#include "transports/id.hpp"
#include "transports/id_skimmer.hpp"
#include "transports/message_fields.hpp"

namespace transports {
namespace {

using base::json::Place;
using base::json::Type;

// Requests that have effects: without an id they would run unanswered and unseen.
constexpr std::array<std::string_view, 11> effective_methods = {
    "tools/call",           "resources/read", "resources/subscribe",
    "subscriptions/listen", "prompts/get",    "completion/complete",
    "tasks/result",         "tasks/update",   "sampling/createMessage",
    "elicitation/create",   "tasks/cancel"};

constexpr int parse_error = -32700;
constexpr int invalid_request = -32600;

Span span(const Place& place) { return {place.offset, place.size}; }

// One line, read: the rules of the header in their order. Each gives a sentence or nothing.
class Reading {
 public:
  Reading(std::string_view text, const MessageFields& fields, const Limits& limits)
      : text_(text), fields_(fields), limits_(limits) {}

  bool request_shaped() const { return fields_.method.size != 0; }
  bool has_id() const { return fields_.id.size != 0; }
  std::string_view at(const Place& place) const { return text_.substr(place.offset, place.size); }

  std::string problem() const {
    if (fields_.top.type != Type::object) return "a message must be one JSON object";
    if (!fields_.variant.empty())
      return "the key " + base::quoted(fields_.variant, 60) + " differs from a known one only in case";
    if (fields_.jsonrpc.type != Type::string || base::json::unescaped(at(fields_.jsonrpc)) != "2.0")
      return "`jsonrpc` must be \"2.0\"";
    if (has_id() && !usable_id(at(fields_.id)))
      return "an id must be a string or an integer within ±2^53, of at most " + std::to_string(id_bytes_max) +
             " bytes";
    const bool answer = fields_.result.size != 0 || fields_.error.size != 0;
    if (request_shaped() && answer) return "a message cannot be request and response at once";
    if (!request_shaped() && !answer) return "a message needs `method`, `result` or `error`";
    return answer ? response_problem() : request_problem();
  }

 private:
  std::string response_problem() const {
    if (fields_.result.size != 0 && fields_.error.size != 0)
      return "a response cannot have both `result` and `error`";
    if (fields_.error.size != 0 && fields_.error.type != Type::object) return "`error` must be an object";
    if (!has_id()) return "a response needs an id";
    return {};
  }

  std::string request_problem() const {
    if (fields_.method.type != Type::string) return "`method` must be a string";
    if (fields_.method.size > limits_.name_bytes_max) return too_long("method");
    if (fields_.params.size != 0 && fields_.params.type != Type::object) return "`params` must be an object";
    if (fields_.meta.size != 0 && fields_.meta.type != Type::object) return "`_meta` must be an object";
    const std::string method = base::json::unescaped(at(fields_.method));
    if (!has_id() &&
        std::find(effective_methods.begin(), effective_methods.end(), method) != effective_methods.end())
      return "a " + base::quoted(method) + " needs an id";
    for (const Place* token : {&fields_.meta_progress_token, &fields_.progress_token, &fields_.request_id})
      if (token->size != 0 && !usable_id(at(*token)))
        return "a progress token or request id must be a string or an integer within ±2^53";
    if (method != "tools/call" && method != "prompts/get") return {};
    if (fields_.name.type != Type::string) return "`name` of a " + base::quoted(method) + " must be a string";
    if (fields_.name.size > limits_.name_bytes_max) return too_long("name");
    if (fields_.arguments.size != 0 && fields_.arguments.type != Type::object)
      return "`arguments` of a " + base::quoted(method) + " must be an object";
    return {};
  }

  std::string too_long(std::string_view what) const {
    return "`" + std::string(what) + "` is longer than " + std::to_string(limits_.name_bytes_max) + " bytes";
  }

  std::string_view text_;
  const MessageFields& fields_;
  const Limits& limits_;
};

Refusal refused(const Reading& reading, const MessageFields& fields, std::string problem) {
  Refusal refusal;
  refusal.code = invalid_request;
  refusal.error = {base::Code::invalid, std::move(problem)};
  if (fields.top.type != Type::object) {
    refusal.answerable = true;  // a batch, or nothing that can be told from a request
    return refusal;
  }
  if (!reading.has_id()) return refusal;
  if (echoable_id(reading.at(fields.id))) refusal.id = reading.at(fields.id);
  const bool answer = fields.result.size != 0 || fields.error.size != 0;
  refusal.answerable = reading.request_shaped() || !answer;
  refusal.request = reading.request_shaped() && !answer;
  return refusal;
}

Refusal skimmed(std::string_view line, base::Error error) {
  IdSkimmer skimmer;
  skimmer.push(line);
  return skimmer.refusal(error.code() == base::Code::limit ? invalid_request : parse_error, std::move(error));
}

// What passes with a tool's arguments and may change what the call does: `task`, `inputResponses`, what
// callgate does not know.
std::string beside(const MessageFields& fields, const Reading& reading) {
  std::string object;
  for (const auto& [key, place] : fields.beside) {
    object += object.empty() ? '{' : ',';
    base::json::append_string(object, key);
    object += ':';
    object += reading.at(place);
  }
  return object.empty() ? object : object + '}';
}

Message message_from(std::string line, const MessageFields& fields, const Reading& reading) {
  Message message;
  message.id = reading.at(fields.id);
  if (!reading.request_shaped()) {
    message.kind = Kind::response;
    message.is_error = fields.error.size != 0;
    message.tool_error = fields.result_is_error;
    message.more = fields.more;
    message.result = span(message.is_error ? fields.error : fields.result);
  } else {
    message.kind = message.id.empty() ? Kind::notification : Kind::request;
    message.method = base::json::unescaped(reading.at(fields.method));
    message.params = span(fields.params);
    if (fields.name.size != 0 && fields.name.type == Type::string)
      message.name = base::json::unescaped(reading.at(fields.name));
    message.arguments = span(fields.arguments);
    if (message.method == "tools/call") message.beside = beside(fields, reading);
    const bool progress = message.method == "notifications/progress";
    message.progress_token = reading.at(progress ? fields.progress_token : fields.meta_progress_token);
    if (message.method == "notifications/cancelled") message.request_id = reading.at(fields.request_id);
    message.modern = fields.modern;
  }
  message.bytes = std::move(line);
  return message;
}

}  // namespace

Parsed parse(std::string line, const Limits& limits) {
  // JSON allows a carriage return between values, but readers that take it for a line end (Python's text
  // streams, Node's readline) would find another message inside this one.
  if (const std::size_t at = line.find('\r'); at != std::string::npos && at + 1 != line.size())
    return skimmed(line,
                   {base::Code::invalid, "a carriage return inside the line, at byte " + std::to_string(at)});
  const auto fields = read_fields(line, limits.message_bytes_max, limits.depth_max);
  if (!fields) return skimmed(line, fields.error());
  const Reading reading(line, *fields, limits);
  if (std::string problem = reading.problem(); !problem.empty())
    return refused(reading, *fields, std::move(problem));
  return message_from(std::move(line), *fields, reading);
}

}  // namespace transports
