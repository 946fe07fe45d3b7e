#include "policy/detect/decode.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "proxy/base/utf8.hpp"

namespace policy::detect {
namespace {

constexpr std::size_t base64_run_least = 20;
constexpr std::size_t hex_run_least = 24;
constexpr std::size_t line_least = 48;  // shorter lines of base64 do not go on in the next one
constexpr std::size_t prefix_most = 4;  // of other letters, right before what is encoded

constexpr std::int8_t no_value = -1;

constexpr std::array<std::int8_t, 256> values(std::string_view digits, std::string_view also) {
  std::array<std::int8_t, 256> table{};
  for (std::int8_t& value : table) value = no_value;
  for (std::size_t i = 0; i < digits.size(); ++i)
    table[static_cast<unsigned char>(digits[i])] = static_cast<std::int8_t>(i);
  for (std::size_t i = 0; i < also.size(); ++i)
    table[static_cast<unsigned char>(also[i])] = static_cast<std::int8_t>(digits.size() - also.size() + i);
  return table;
}

constexpr auto base64_values =
    values("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "-_");
constexpr auto hex_values = values("0123456789abcdef", "ABCDEF");

bool in(const std::array<std::int8_t, 256>& table, char c) {
  return table[static_cast<unsigned char>(c)] != no_value;
}
unsigned value(const std::array<std::int8_t, 256>& table, char c) {
  return static_cast<unsigned>(table[static_cast<unsigned char>(c)]);
}

bool shown(char c) {
  return static_cast<unsigned char>(c) >= 0x20 ? c != 0x7f : c == '\t' || c == '\n' || c == '\r';
}

// Decodes digits of `bits` bits each onto `out`, as long as text comes out; whether all of it was text.
bool decode_text(const std::array<std::int8_t, 256>& table, unsigned bits, std::string_view digits,
                 std::string& out) {
  const std::size_t begin = out.size();
  unsigned held = 0;
  unsigned count = 0;
  for (const char digit : digits) {
    if (digit == '\n' || digit == '\r') continue;
    held = (held << bits) | value(table, digit);
    count += bits;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>((held >> count) & 0xff);
    if (!shown(out.back())) break;
  }
  const std::string_view decoded = std::string_view(out).substr(begin);
  if (!decoded.empty() && shown(decoded.back()) && base::utf8::valid(decoded)) return true;
  out.resize(begin);
  return false;
}

// The end of a run of base64 that begins at `at`. Long lines go on in the next one.
std::size_t base64_end(std::string_view text, std::size_t at) {
  std::size_t line = at;
  for (;;) {
    std::size_t end = line;
    while (end < text.size() && in(base64_values, text[end])) ++end;
    std::size_t next = end;
    if (next < text.size() && text[next] == '\r') ++next;
    const bool goes_on = end - line >= line_least && next + 1 < text.size() && text[next] == '\n' &&
                         in(base64_values, text[next + 1]);
    if (!goes_on) return end;
    line = next + 1;
  }
}

// The next run of at least `least` of such characters, where `at` is behind none; npos: there is none. Most
// of a text is never looked at.
std::size_t next_run(const std::array<std::int8_t, 256>& table, std::string_view text, std::size_t at,
                     std::size_t least) {
  while (at + least <= text.size()) {
    std::size_t from = at + least;
    while (from > at && in(table, text[from - 1])) --from;
    if (from == at) return at;
    at = from;
  }
  return std::string_view::npos;
}

void add_base64(std::string_view text, std::string& out) {
  for (std::size_t at = 0;
       (at = next_run(base64_values, text, at, base64_run_least)) != std::string_view::npos;) {
    const std::size_t end = base64_end(text, at);
    for (std::size_t skip = 0; skip < prefix_most && end - at >= base64_run_least + skip; ++skip)
      if (decode_text(base64_values, 6, text.substr(at + skip, end - at - skip), out)) {
        out += '\n';
        break;
      }
    at = end;
  }
}

void add_hex(std::string_view text, std::string& out) {
  for (std::size_t at = 0; (at = next_run(hex_values, text, at, hex_run_least)) != std::string_view::npos;) {
    std::size_t end = at + hex_run_least;
    while (end < text.size() && in(hex_values, text[end])) ++end;
    for (std::size_t skip = 0; skip < 2 && end - at >= hex_run_least + skip; ++skip)
      if (decode_text(hex_values, 4, text.substr(at + skip, end - at - skip), out)) {
        out += '\n';
        break;
      }
    at = end;
  }
}

// `%41`, `\x41` and `\u0041`: the whole text without them.
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
    out += static_cast<char>(value(hex_values, text[digits]) << 4 | value(hex_values, text[digits + 1]));
    at = from = digits + 2;
  }
  if (from != 0) out.append(text.substr(from));
}

// Zero-width characters, bidi controls and soft hyphens taken out, Unicode tags as the letters they stand
// for.
void add_unhidden(std::string_view text, std::string& out) {
  static constexpr std::string_view first_bytes = "\xC2\xE2\xEF\xF3";
  const auto begins = [](char c) {
    return c < 0 && (c == '\xC2' || c == '\xE2' || c == '\xEF' || c == '\xF3');
  };
  const bool may_hide = std::any_of(first_bytes.begin(), first_bytes.end(),
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
    const bool hidden = tag || point == 0xAD || point == 0xFEFF || (point >= 0x200B && point <= 0x200F) ||
                        (point >= 0x202A && point <= 0x202E) || (point >= 0x2060 && point <= 0x2069);
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

}  // namespace

std::optional<std::string> from_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  unsigned held = 0;
  unsigned count = 0;
  for (const char c : text) {
    if (!in(base64_values, c)) return std::nullopt;
    held = (held << 6) | value(base64_values, c);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((held >> count) & 0xff);
  }
  return bytes;
}

Decodings decodings(std::string_view text) {
  Decodings all;
  std::size_t left = text.size() * decoded_bytes_each_max + decoded_bytes_more_max;
  const auto decode = [&](std::string_view from) {
    for (const auto add : {add_base64, add_hex, add_escapes, add_unhidden}) {
      std::string decoded;
      add(from, decoded);
      if (decoded.empty()) continue;
      if (decoded.size() > left) {
        all.complete = false;
        continue;
      }
      left -= decoded.size();
      all.texts.push_back(std::move(decoded));
    }
  };
  decode(text);
  std::size_t first = 0;
  for (std::size_t depth = 1; depth < decode_depth_max; ++depth) {
    const std::size_t last = all.texts.size();
    for (; first < last; ++first) {
      const std::string from = all.texts[first];  // the list grows
      decode(from);
    }
  }
  return all;
}

}  // namespace policy::detect
