#include "proxy/call/answers.hpp"

#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"
#include "proxy/base/utf8.hpp"
#include "proxy/call/methods.hpp"

namespace proxy {

std::string json_string(std::string_view text) {
  std::string out;
  base::json::append_string(out, base::utf8::valid(text) ? text : base::printable(text, text.size() * 4));
  return out;
}

namespace {

std::string error_line(std::string_view id, int code, std::string_view text) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id.empty() ? "null" : id) + R"(,"error":{"code":)" +
         std::to_string(code) + R"(,"message":)" + json_string(text) + "}}";
}

}  // namespace

std::string refusal_answer(const transports::Refusal& refusal) {
  return error_line(refusal.id, refusal.code, "callgate did not pass this on: " + refusal.error.message());
}

std::string error_answer(std::string_view id, AnswerCode code, std::string_view text) {
  return error_line(id, static_cast<int>(code), text);
}

std::string call_answer(const transports::Message& request, AnswerCode code, std::string_view text) {
  if (!answers_with_tool_result(request.method)) return error_answer(request.id, code, text);
  return R"({"jsonrpc":"2.0","id":)" + request.id + R"(,"result":{"content":[{"type":"text","text":)" +
         json_string(text) + R"(}],"isError":true)" + (request.modern ? R"(,"resultType":"complete")" : "") +
         "}}";
}

std::string progress_notification(std::string_view token, std::uint64_t progress, std::string_view text) {
  return R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" +
         std::string(token) + R"(,"progress":)" + std::to_string(progress) + R"(,"message":)" +
         json_string(text) + "}}";
}

}  // namespace proxy
