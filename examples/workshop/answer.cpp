#include "examples/workshop/answer.hpp"

#include <algorithm>

namespace workshop {

namespace {
bool plain(char character) {
  const auto byte = static_cast<unsigned char>(character);
  return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}
}  // namespace

std::string json_string(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), plain)) {
    std::string quoted;
    quoted.reserve(text.size() + 2);
    quoted += '"';
    quoted += text;
    quoted += '"';
    return quoted;
  }
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string result_line(const Json& id, std::string_view result) {
  std::string line;
  line.reserve(result.size() + 64);
  line += R"({"jsonrpc":"2.0","id":)";
  line += id.dump();
  line += R"(,"result":)";
  line += result;
  line += "}\n";
  return line;
}

std::string error_line(const Json& id, int code, std::string_view message) {
  return R"({"jsonrpc":"2.0","id":)" + id.dump() + R"(,"error":{"code":)" + std::to_string(code) +
         R"(,"message":)" + json_string(message) + "}}\n";
}

std::string text_result(std::string_view text, bool is_error) {
  std::string result;
  result.reserve(text.size() + 64);
  result += R"({"content":[{"type":"text","text":)";
  result += json_string(text);
  result += is_error ? R"(}],"isError":true})" : "}]}";
  return result;
}

}  // namespace workshop
