#include <algorithm>

#include "policy/detect/decode_ways.hpp"
#include "policy/detect/digits.hpp"

namespace policy::detect {

void add_escapes(std::string_view text, std::string& out) {
  std::size_t from = 0;
  const auto two_digits = [&](std::size_t at) {
    return at + 1 < text.size() && in(hex_values, text[at]) && in(hex_values, text[at + 1]);
  };
  std::size_t next_percent = text.find('%');
  std::size_t next_backslash = text.find('\\');
  for (std::size_t at = 0;;) {
    if (next_percent < at) next_percent = text.find('%', at);
    if (next_backslash < at) next_backslash = text.find('\\', at);
    at = std::min(next_percent, next_backslash);
    if (at == std::string_view::npos) break;
    const bool percent = text[at] == '%';
    const bool hex = text.substr(at, 2) == "\\x";
    const std::size_t digits = at + (percent ? 1 : hex ? 2 : 4);
    if ((!percent && !hex && text.substr(at, 4) != "\\u00") || !two_digits(digits)) {
      ++at;
      continue;
    }
    out.append(text.substr(from, at - from));
    out +=
        static_cast<char>(value_of(hex_values, text[digits]) << 4 | value_of(hex_values, text[digits + 1]));
    at = from = digits + 2;
  }
  if (from != 0) out.append(text.substr(from));
}

}  // namespace policy::detect
