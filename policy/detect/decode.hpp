#pragma once
// The texts that a text may stand for: what lies in it as base64, as hexadecimal digits, a dump or a list of
// bytes, behind `%XX`, `\xXX` and the like, or is torn apart by characters that nobody sees.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace policy::detect {

inline constexpr std::size_t decode_depth_max = 3;
// Of all decodings of one text: so many bytes for each of its own, and some more.
inline constexpr std::size_t decoded_bytes_each_max = 3;
inline constexpr std::size_t decoded_bytes_more_max = 4u << 20;

// Both alphabets of RFC 4648, with or without padding; nullopt: other characters. The bits that are left over
// do not matter.
std::optional<std::string> from_base64(std::string_view text);

// A text as it may be read, made once for all that is held against it.
struct Readings {
  std::string text;                  // as it stands
  std::vector<std::string> decoded;  // the same in other words
  bool complete = true;              // false: there would have been more bytes than may be
  std::size_t bytes = 0;             // of all
};

// Decodings of the text, and of those, to `decode_depth_max`: each holds what one way of decoding makes of
// one text, its pieces on lines of their own. Of bytes that are no text, what reads as text (readable.hpp).
Readings readings(std::string_view text);

}  // namespace policy::detect
