#pragma once
// Places in JSON text that has been read strictly already (json.hpp): by pointer, and of every string. For
// changing a part of a text and leaving all the rest as it is, byte for byte. Iterative, linear in the text.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace base::json {

struct Piece {
  std::size_t offset = 0;
  std::size_t size = 0;
  bool operator==(const Piece&) const = default;
};

// Where the value lies that the pointer (RFC 6901) leads to; nullopt: it leads nowhere.
std::optional<Piece> find(std::string_view text, std::string_view pointer);

// The text with the value at the pointer replaced by `value` (JSON text). What is not there is added at the
// end of its object; nullopt: there is no such object.
std::optional<std::string> replaced(std::string_view text, std::string_view pointer, std::string_view value);

// Each string with its quotes, in order; `key`: it names a member.
void each_string(std::string_view text, const std::function<void(Piece piece, bool key)>& take);

}  // namespace base::json
