#pragma once
// Strict JSON (RFC 8259), stricter than any parser that may stand behind us: duplicate keys (compared after
// unescaping, at every depth), invalid UTF-8, lone surrogates, a byte order mark, NUL in keys, trailing data,
// NaN, comments, numbers that no double holds (1e400), depth and size beyond the limits are refused.

#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "proxy/base/error.hpp"

namespace base::json {

using Value = nlohmann::json;

struct Limits {
  std::size_t bytes_max = 16u << 20;
  std::size_t depth_max = 128;  // of arrays and objects
  std::size_t values_max = std::numeric_limits<std::size_t>::max();
};

// Of a tree, in which each value takes some 50 bytes however short it is written.
inline constexpr Limits tree_limits{.values_max = 1u << 18};

// Checks without building a tree. Error: what and at which byte.
Result<void> check(std::string_view text, const Limits& limits = {});

// check(), then the tree.
Result<Value> parse(std::string_view text, const Limits& limits = tree_limits);

// Appends `text` as a JSON string with its quotes. The text is valid UTF-8.
void append_string(std::string& out, std::string_view text);

// RFC 8785 (JCS): sorted keys by UTF-16, shortest numbers, no white space. The value came from parse().
// Integers beyond ±2^53, which the RFC leaves out, keep all their digits: two that differ never print the
// same.
std::string canonical(const Value& value);

}  // namespace base::json
