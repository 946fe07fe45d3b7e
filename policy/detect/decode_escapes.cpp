#include <algorithm>
#include <optional>

#include "policy/detect/decode_ways.hpp"
#include "policy/detect/digits.hpp"
#include "proxy/base/utf8.hpp"

namespace policy::detect {
namespace {

struct Escape {
  char32_t value = 0;
  bool byte = false;  // else a character
  std::size_t length = 0;
};

constexpr DigitValues octal_values = digit_values("01234567", "");
constexpr DigitValues decimal_values = digit_values("0123456789", "");

struct Number {
  char32_t value = 0;
  std::size_t length = 0;  // of its digits, at most as many as were asked for
};
Number number(std::string_view text, const DigitValues& values, unsigned base, std::size_t most) {
  Number read;
  while (read.length < most && read.length < text.size() && in(values, text[read.length]))
    read.value = read.value * base + value_of(values, text[read.length++]);
  return read;
}

constexpr std::size_t point_digits_max = 8;

// `%41`, `\x41`, `\101`, `\u0041`, `\U00000041`, `\u{41}`, `&#65;`, `&#x41;`
std::optional<Escape> escape_at(std::string_view text) {
  const auto exactly = [&](std::size_t begin, const DigitValues& values, unsigned base, std::size_t digits,
                           bool byte) -> std::optional<Escape> {
    const Number read = number(text.substr(std::min(begin, text.size())), values, base, digits);
    if (read.length != digits || (byte && read.value > 0xff)) return std::nullopt;
    return Escape{read.value, byte, begin + digits};
  };
  const auto until = [&](std::size_t begin, const DigitValues& values, unsigned base,
                         char end) -> std::optional<Escape> {
    const Number read = number(text.substr(begin), values, base, point_digits_max);
    const std::size_t behind = begin + read.length;
    if (read.length == 0 || behind >= text.size() || text[behind] != end) return std::nullopt;
    return Escape{read.value, false, behind + 1};
  };
  if (text.front() == '%') return exactly(1, hex_values, 16, 2, true);
  if (text.front() == '&') {
    if (text.starts_with("&#x") || text.starts_with("&#X")) return until(3, hex_values, 16, ';');
    return text.starts_with("&#") ? until(2, decimal_values, 10, ';') : std::nullopt;
  }
  if (text.starts_with("\\x")) return exactly(2, hex_values, 16, 2, true);
  if (text.starts_with("\\u{")) return until(3, hex_values, 16, '}');
  if (text.starts_with("\\u")) return exactly(2, hex_values, 16, 4, false);
  if (text.starts_with("\\U")) return exactly(2, hex_values, 16, 8, false);
  return exactly(1, octal_values, 8, 3, true);
}

}  // namespace

void add_escapes(std::string_view text, std::string& out) {
  constexpr std::string_view beginnings = "%\\&";
  std::size_t next[beginnings.size()] = {};
  std::size_t from = 0;
  for (std::size_t at = 0;;) {
    std::size_t nearest = std::string_view::npos;
    for (std::size_t i = 0; i < beginnings.size(); ++i) {
      if (next[i] <= at) next[i] = text.find(beginnings[i], at);
      nearest = std::min(nearest, next[i]);
    }
    at = nearest;
    if (at == std::string_view::npos) break;
    const std::optional<Escape> escape = escape_at(text.substr(at));
    if (!escape || escape->value > 0x10ffff) {
      ++at;
      continue;
    }
    out.append(text.substr(from, at - from));
    if (escape->byte)
      out += static_cast<char>(escape->value);
    else
      base::utf8::append(out, escape->value);
    at = from = at + escape->length;
  }
  if (from != 0) out.append(text.substr(from));
}

}  // namespace policy::detect
