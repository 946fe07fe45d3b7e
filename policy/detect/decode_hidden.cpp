#include <algorithm>
#include <iterator>

#include "policy/detect/decode_ways.hpp"
#include "proxy/base/utf8.hpp"

namespace policy::detect {

void add_hidden(std::string_view text, std::string& out) {
  static constexpr char first_bytes[] = {'\0', '\xC2', '\xE2', '\xEF', '\xF3'};
  const auto begins = [](char c) {
    return c <= 0 && (c == '\0' || c == '\xC2' || c == '\xE2' || c == '\xEF' || c == '\xF3');
  };
  const bool may_hide = std::any_of(std::begin(first_bytes), std::end(first_bytes),
                                    [&](char c) { return text.find(c) != std::string_view::npos; });
  if (!may_hide) return;
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (!begins(text[at])) {
      ++at;
      continue;
    }
    const auto character = base::utf8::character_at(text, at);
    const char32_t point = character.point;
    const bool tag = point >= 0xE0000 && point <= 0xE007F;
    const bool hidden = tag || text[at] == '\0' || point == 0xAD || point == 0xFEFF ||
                        (point >= 0x200B && point <= 0x200F) || (point >= 0x202A && point <= 0x202E) ||
                        (point >= 0x2060 && point <= 0x2069);
    if (character.length == 0 || !hidden) {
      at += std::max<std::size_t>(character.length, 1);
      continue;
    }
    // A text in tags is one of its own.
    if (tag && from != at) out.append(text.substr(from, at - from)).append("\n");
    if (!tag) out.append(text.substr(from, at - from));
    if (tag && point >= 0xE0020 && point < 0xE007F) out += static_cast<char>(point - 0xE0000);
    at = from = at + character.length;
  }
  if (from != 0) out.append(text.substr(from));
}

}  // namespace policy::detect
