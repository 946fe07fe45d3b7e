#pragma once
// One strict pass over JSON text without building a tree: what json.hpp refuses is refused here. Iterative,
// linear in the text, and its memory is bounded by a small multiple of the text's keys.

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "proxy/base/error.hpp"
#include "proxy/base/json_string.hpp"

namespace base::json {

struct Limits;

enum class Type { object, array, string, number, boolean, null };

// Where a value lies in the text.
struct Place {
  Type type = Type::null;
  std::size_t offset = 0;
  std::size_t size = 0;
};

// A member of the top-level object, or of an object that is reached through objects alone, at most
// `path_max` keys deep. Told once its value has been read whole: inner members come before the outer one.
struct Member {
  std::span<const std::string_view> path;  // unescaped keys, outermost first
  Place value;
};
inline constexpr std::size_t path_max = 3;

using Visit = std::function<void(const Member&)>;

// The top-level value. Members that were visited before an error mean nothing. Error: what and at which byte;
// Code::limit for size and depth, Code::invalid for all else.
Result<Place> scan(std::string_view text, const Limits& limits, const Visit& visit = {});

}  // namespace base::json
