#include <algorithm>
#include <array>

#include "policy/detect/decode_ways.hpp"
#include "proxy/base/characters.hpp"
#include "proxy/base/utf8.hpp"

namespace policy::detect {
namespace {

// Unicode 15, Default_Ignorable_Code_Point, and zero; but for tags, which stand for letters.
constexpr std::array<base::CharacterRange, 17> ignorable{{{0, 0},
                                                          {0xAD, 0xAD},
                                                          {0x34F, 0x34F},
                                                          {0x61C, 0x61C},
                                                          {0x115F, 0x1160},
                                                          {0x17B4, 0x17B5},
                                                          {0x180B, 0x180F},
                                                          {0x200B, 0x200F},
                                                          {0x202A, 0x202E},
                                                          {0x2060, 0x206F},
                                                          {0x3164, 0x3164},
                                                          {0xFE00, 0xFE0F},
                                                          {0xFEFF, 0xFEFF},
                                                          {0xFFA0, 0xFFA0},
                                                          {0x1BCA0, 0x1BCA3},
                                                          {0x1D173, 0x1D17A},
                                                          {0xE0080, 0xE0FFF}}};

// Of all of these in UTF-8, a zero among them.
constexpr std::array first_bytes{'\0',   '\xC2', '\xCD', '\xD8', '\xE1',
                                 '\xE2', '\xE3', '\xEF', '\xF0', '\xF3'};
constexpr std::array<bool, 256> begins = [] {
  std::array<bool, 256> table{};
  for (const char c : first_bytes) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

}  // namespace

void add_hidden(std::string_view text, std::string& out) {
  const bool may_hide = std::any_of(first_bytes.begin(), first_bytes.end(),
                                    [&](char c) { return text.find(c) != std::string_view::npos; });
  if (!may_hide) return;
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (!begins[static_cast<unsigned char>(text[at])]) {
      ++at;
      continue;
    }
    const auto character = base::utf8::character_at(text, at);
    const char32_t point = character.point;
    const bool tag = point >= 0xE0000 && point <= 0xE007F;
    if (character.length == 0 || (!tag && !base::contains(ignorable, point))) {
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
