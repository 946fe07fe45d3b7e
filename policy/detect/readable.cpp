#include "policy/detect/readable.hpp"

#include <algorithm>
#include <cstddef>

#include "proxy/base/utf8.hpp"

namespace policy::detect {
namespace {

constexpr std::size_t run_least = 8;

bool control(char c) {
  return static_cast<unsigned char>(c) < 0x20 ? c != '\t' && c != '\n' && c != '\r' : c == 0x7f;
}
bool readable(char c) { return static_cast<unsigned char>(c) < 0x80 && !control(c); }

void add_line(std::string_view text, std::string& out) { out.append(text) += '\n'; }

// Most of what is no text is never looked at.
void add_runs(std::string_view bytes, std::string& out) {
  for (std::size_t at = 0; at + run_least <= bytes.size();) {
    std::size_t from = at + run_least;
    while (from > at && readable(bytes[from - 1])) --from;
    if (from != at) {
      at = from;
      continue;
    }
    std::size_t end = at + run_least;
    while (end < bytes.size() && readable(bytes[end])) ++end;
    add_line(bytes.substr(at, end - at), out);
    at = end;
  }
}

// Characters with a zero between each two, as UTF-16 has them in either order.
void add_wide_runs(std::string_view bytes, std::string& out) {
  constexpr std::size_t span = 2 * run_least - 1;
  const auto fits = [&](std::size_t begin, std::size_t i) {
    return i % 2 == 0 ? readable(bytes[begin + i]) : bytes[begin + i] == '\0';
  };
  for (const std::size_t first : {0, 1})
    for (std::size_t at = first; at + span <= bytes.size();) {
      std::size_t length = span;
      while (length > 0 && fits(at, length - 1)) --length;
      if (length > 0) {
        at += length + length % 2;
        continue;
      }
      for (length = span; at + length + 1 < bytes.size() && fits(at, length) && fits(at, length + 1);)
        length += 2;
      for (std::size_t i = 0; i < length; i += 2) out += bytes[at + i];
      out += '\n';
      at += length + 1;
    }
}

// Control characters, private ones and those that are none.
bool unlikely(char32_t point) {
  return (point < 0x20 && point != '\t' && point != '\n' && point != '\r') ||
         (point >= 0x7f && point < 0xa0) || (point >= 0xe000 && point < 0xf900) || (point & 0xfffe) == 0xfffe;
}

// All of the bytes, where they are text in UTF-16 of this order.
void add_utf16(std::string_view bytes, bool big, std::string& out) {
  if (bytes.size() < 2) return;
  const std::size_t begin = out.size();
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<char32_t>(big ? first << 8 | second : second << 8 | first);
  };
  const bool marked = unit(0) == 0xfeff;
  std::size_t ascii = 0;
  for (std::size_t at = marked ? 2 : 0; at + 1 < bytes.size(); at += 2) {
    char32_t point = unit(at);
    if (point >= 0xd800 && point < 0xdc00 && at + 3 < bytes.size()) {
      const char32_t low = unit(at += 2);
      point = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00) : 0xffff;
    }
    if (unlikely(point) || (point >= 0xd800 && point < 0xe000)) {
      out.resize(begin);
      return;
    }
    ascii += point < 0x80 ? 1 : 0;
    base::utf8::append(out, point);
  }
  // Any two bytes are a character of some script; text has at least blanks.
  constexpr std::size_t ascii_part = 16;
  if (marked || ascii * ascii_part >= bytes.size())
    out += '\n';
  else
    out.resize(begin);
}

}  // namespace

bool add_readable(std::string_view bytes, std::string& out) {
  if (bytes.empty()) return true;
  if (std::none_of(bytes.begin(), bytes.end(), control) && base::utf8::valid(bytes)) {
    add_line(bytes, out);
    return true;
  }
  if (bytes.find('\0') != std::string_view::npos || bytes.starts_with("\xff\xfe") ||
      bytes.starts_with("\xfe\xff")) {
    add_utf16(bytes, false, out);
    add_utf16(bytes, true, out);
    add_wide_runs(bytes, out);
  }
  add_runs(bytes, out);
  return false;
}

}  // namespace policy::detect
