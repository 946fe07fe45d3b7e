// Bytes as numbers in a list: `[72, 101, …]`, `{0x48, 0x65, …}`, a number a line.

#include "policy/detect/decode_ways.hpp"
#include "policy/detect/digits.hpp"
#include "policy/detect/readable.hpp"

namespace policy::detect {
namespace {

constexpr std::size_t run_least = 20;  // characters of a list of eight bytes that can be read, and some more
constexpr std::size_t bytes_least = 8;

constexpr DigitValues list_values = digit_values("0123456789abcdefx, \t\r\n;", "ABCDEF");

bool parts(char c) { return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

// The number at the beginning, to where the list goes on or ends; -1: none that is a byte.
int byte_at(std::string_view word) {
  const bool hex = word.starts_with("0x");
  if (hex) word.remove_prefix(2);
  if (word.empty() || word.size() > (hex ? 2u : 3u)) return -1;
  unsigned value = 0;
  for (const char c : word) {
    if (hex ? !in(hex_values, c) : !digit(c)) return -1;
    value = value * (hex ? 16 : 10) + value_of(hex_values, c);
  }
  return value > 0xff ? -1 : static_cast<int>(value);
}

}  // namespace

void add_numbers(std::string_view text, std::string& out) {
  std::string bytes;
  const auto read = [&] {
    if (bytes.size() >= bytes_least) add_readable(bytes, out);
    bytes.clear();
  };
  for (std::size_t at = 0; (at = next_run(list_values, text, at, run_least)) != std::string_view::npos;) {
    while (at < text.size() && in(list_values, text[at])) {
      if (parts(text[at])) {
        ++at;
        continue;
      }
      std::size_t end = at;
      while (end < text.size() && in(list_values, text[end]) && !parts(text[end])) ++end;
      const int byte = byte_at(text.substr(at, end - at));
      if (byte < 0)
        read();
      else
        bytes += static_cast<char>(byte);
      at = end;
    }
    read();
  }
}

}  // namespace policy::detect
