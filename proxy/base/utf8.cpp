#include "proxy/base/utf8.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace base::utf8 {

Character character_at(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  if (first < 0xC2 || first > 0xF4) return {};
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (bytes.size() - at < length) return {};
  char32_t point = first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    point = point << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (point < least[length] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return {};
  return {point, length};
}

bool valid(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    // Mostly it is ASCII: eight bytes at once, as long as it is.
    std::uint64_t eight = 0;
    if (at + sizeof eight <= bytes.size()) {
      std::memcpy(&eight, bytes.data() + at, sizeof eight);
      if ((eight & 0x8080808080808080) == 0) {
        at += sizeof eight;
        continue;
      }
    }
    const std::size_t length = character_at(bytes, at).length;
    if (length == 0) return false;
    at += length;
  }
  return true;
}

char* put(char32_t point, char* out) {
  const auto put_byte = [&](char32_t byte) { *out++ = static_cast<char>(byte); };
  if (point < 0x80) {
    put_byte(point);
  } else if (point < 0x800) {
    put_byte(0xC0 | point >> 6);
    put_byte(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    put_byte(0xE0 | point >> 12);
    put_byte(0x80 | (point >> 6 & 0x3F));
    put_byte(0x80 | (point & 0x3F));
  } else {
    put_byte(0xF0 | point >> 18);
    put_byte(0x80 | (point >> 12 & 0x3F));
    put_byte(0x80 | (point >> 6 & 0x3F));
    put_byte(0x80 | (point & 0x3F));
  }
  return out;
}

void append(std::string& to, char32_t point) {
  std::array<char, 4> bytes{};
  to.append(bytes.data(), put(point, bytes.data()));
}

}  // namespace base::utf8
