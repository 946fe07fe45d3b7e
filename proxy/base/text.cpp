#include "proxy/base/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "proxy/base/utf8.hpp"

namespace base {
namespace {

// Characters that a terminal or a reader would not show as what they are.
bool hidden(char32_t point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0xAD || point == 0x61C ||
         point == 0x180E || (point >= 0x200B && point <= 0x200F) || (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF || (point >= 0xFE00 && point <= 0xFE0F) ||
         (point >= 0xFFF0 && point <= 0xFFFD) || (point >= 0xE0000 && point <= 0xE0FFF);
}

}  // namespace

std::string bounded(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return std::string(text);
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

std::string printable(std::string_view text, std::size_t bytes_max) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (out.size() >= bytes_max) return out + "…";
    const utf8::Character next = utf8::character_at(text, at);
    std::array<char, 16> mark{};
    if (next.length == 0) {
      std::snprintf(mark.data(), mark.size(), "\\x%02x", static_cast<unsigned char>(text[at]));
      out += mark.data();
      at += 1;
      continue;
    }
    if (hidden(next.point)) {
      std::snprintf(mark.data(), mark.size(), next.point < 0x100 ? "\\x%02x" : "\\u{%x}",
                    static_cast<unsigned>(next.point));
      out += mark.data();
    } else {
      out += text.substr(at, next.length);
    }
    at += next.length;
  }
  return out;
}

std::string quoted(std::string_view text, std::size_t bytes_max) {
  const std::string shown = printable(text, bytes_max);
  if (shown.find('`') == std::string::npos) return "`" + shown + "`";
  // More of them than stand side by side inside, as in Markdown.
  std::string fence = "``";
  while (shown.find(fence) != std::string::npos) fence += '`';
  return fence + " " + shown + " " + fence;
}

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

std::string base64(std::string_view bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    text += digits[group >> 18 & 63];
    text += digits[group >> 12 & 63];
    text += i + 1 < bytes.size() ? digits[group >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? digits[group & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    std::uint32_t value = 0;
    if (c >= 'A' && c <= 'Z') value = static_cast<std::uint32_t>(c - 'A');
    if (c >= 'a' && c <= 'z') value = static_cast<std::uint32_t>(c - 'a') + 26;
    if (c >= '0' && c <= '9') value = static_cast<std::uint32_t>(c - '0') + 52;
    if (c == '+') value = 62;
    if (c == '/') value = 63;
    group = group << 6 | value;
    if (i % 4 != 3) continue;
    for (const int shift : {16, 8, 0}) bytes += static_cast<char>(group >> shift & 255);
    group = 0;
  }
  if (text.ends_with("==")) bytes.pop_back();
  if (text.ends_with("=")) bytes.pop_back();
  // Other letters, bits that stand for nothing, padding elsewhere: all come out as another text.
  if (base64(bytes) != text) return std::nullopt;
  return bytes;
}

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace base
