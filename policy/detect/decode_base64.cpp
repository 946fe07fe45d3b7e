#include "policy/detect/decode.hpp"
#include "policy/detect/decode_ways.hpp"
#include "policy/detect/digits.hpp"

namespace policy::detect {
namespace {

constexpr Digits digits{base64_values, 6, 16, 4};

}  // namespace

std::optional<std::string> from_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  unsigned held = 0;
  unsigned count = 0;
  for (const char c : text) {
    if (!in(base64_values, c)) return std::nullopt;
    held = (held << 6) | value_of(base64_values, c);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((held >> count) & 0xff);
  }
  return bytes;
}

void add_base64(std::string_view text, std::string& out) { add_digits(digits, text, out); }

}  // namespace policy::detect
