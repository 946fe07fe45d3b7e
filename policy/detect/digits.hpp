#pragma once
// Digits that stand for bytes, and runs of them in a text.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace policy::detect {

inline constexpr std::int8_t no_value = -1;

using DigitValues = std::array<std::int8_t, 256>;

// `also`: other ways to write the last of them.
constexpr DigitValues digit_values(std::string_view digits, std::string_view also) {
  DigitValues values{};
  for (std::int8_t& value : values) value = no_value;
  for (std::size_t i = 0; i < digits.size(); ++i)
    values[static_cast<unsigned char>(digits[i])] = static_cast<std::int8_t>(i);
  for (std::size_t i = 0; i < also.size(); ++i)
    values[static_cast<unsigned char>(also[i])] = static_cast<std::int8_t>(digits.size() - also.size() + i);
  return values;
}

// Both alphabets of RFC 4648.
inline constexpr DigitValues base64_values =
    digit_values("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "-_");
inline constexpr DigitValues hex_values = digit_values("0123456789abcdef", "ABCDEF");

inline bool in(const DigitValues& values, char c) {
  return values[static_cast<unsigned char>(c)] != no_value;
}
inline unsigned value_of(const DigitValues& values, char c) {
  return static_cast<unsigned>(values[static_cast<unsigned char>(c)]);
}

// The next run of at least `least` such characters, where `at` is behind none; npos: there is none. Most of
// a text is never looked at.
std::size_t next_run(const DigitValues& values, std::string_view text, std::size_t at, std::size_t least);

struct Digits {
  const DigitValues& values;
  unsigned bits;          // each: 4 or 6
  std::size_t run_least;  // fewer in a row are none
  std::size_t skips;      // so many digits may stand before the first byte: other letters, right before it
};

// What can be read in runs of digits. A line of them goes on in the next one, and is tried alone, too.
void add_digits(const Digits& digits, std::string_view text, std::string& out);

}  // namespace policy::detect
