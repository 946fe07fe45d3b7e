#pragma once
// Messages the workshop writes, as lines. Written by hand where speed counts: the benchmarks run against this
// server.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace workshop {

using Json = nlohmann::json;

// JSON-RPC errors.
constexpr int parse_error = -32700;
constexpr int invalid_request = -32600;
constexpr int method_not_found = -32601;
constexpr int invalid_params = -32602;

// `text` as a JSON string; bytes that are no UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

// One line each, newline included.
std::string result_line(const Json& id, std::string_view result);
std::string error_line(const Json& id, int code, std::string_view message);

// A tool's result with one text.
std::string text_result(std::string_view text, bool is_error = false);

}  // namespace workshop
