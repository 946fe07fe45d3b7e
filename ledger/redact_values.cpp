#include "ledger/redact_values.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <set>

#include "ledger/redact_patterns.hpp"
#include "proxy/base/utf8.hpp"

namespace ledger {
namespace {

constexpr std::size_t value_bytes_min = 8;
constexpr std::size_t piece_bytes =
    256;  // an automaton over a longer literal costs more than two over its parts
constexpr std::size_t random_run = 16;

bool alphanumeric(char byte) { return std::isalnum(static_cast<unsigned char>(byte)) != 0; }

// A run of letters and digits, with both, too long for a word.
bool has_random_part(std::string_view value) {
  std::size_t run = 0;
  bool digit = false;
  bool letter = false;
  for (const char byte : value) {
    if (!alphanumeric(byte)) {
      run = 0;
      digit = letter = false;
      continue;
    }
    ++run;
    (std::isdigit(static_cast<unsigned char>(byte)) != 0 ? digit : letter) = true;
    if (run >= random_run && digit && letter) return true;
  }
  return false;
}

bool names_a_place(std::string_view value) {
  if (value.find('@') != std::string_view::npos || value.find('?') != std::string_view::npos) return false;
  return value.front() == '/' || value.starts_with("~/") || value.starts_with("./") ||
         value.starts_with("http://") || value.starts_with("https://") || value.starts_with("file://");
}

std::string unicode_escape(std::uint32_t unit, bool upper) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), upper ? "\\u%04X" : "\\u%04x", static_cast<unsigned>(unit));
  return text.data();
}

struct Escaping {
  bool slash = false;  // `/` as `\/`
  bool ascii = false;  // all else than ASCII as \uXXXX
  bool upper = false;  // hex digits
};

std::string escaped(std::string_view value, const Escaping& how) {
  static constexpr std::string_view plain = "\"\\\b\f\n\r\t";
  static constexpr std::string_view letter = "\"\\bfnrt";
  std::string out;
  for (std::size_t at = 0; at < value.size();) {
    const char byte = value[at];
    if (const std::size_t known = plain.find(byte); known != std::string_view::npos) {
      out += '\\';
      out += letter[known];
      ++at;
    } else if (static_cast<unsigned char>(byte) < 0x20) {
      out += unicode_escape(static_cast<unsigned char>(byte), how.upper);
      ++at;
    } else if (how.ascii && static_cast<unsigned char>(byte) >= 0x80) {
      const auto [point, length] = base::utf8::character_at(value, at);  // valid: asked before
      at += std::max<std::size_t>(length, 1);
      if (point >= 0x10000) {
        out += unicode_escape(0xD800 + ((point - 0x10000) >> 10), how.upper);
        out += unicode_escape(0xDC00 + ((point - 0x10000) & 0x3FF), how.upper);
      } else {
        out += unicode_escape(point, how.upper);
      }
    } else {
      if (how.slash && byte == '/') out += '\\';
      out += byte;
      ++at;
    }
  }
  return out;
}

std::vector<std::string_view> pieces_of(std::string_view value) {
  std::vector<std::string_view> pieces;
  while (value.size() > piece_bytes + value_bytes_min) {
    std::size_t cut = piece_bytes;
    while (cut > piece_bytes - 4 && (static_cast<unsigned char>(value[cut]) & 0xC0) == 0x80) --cut;
    pieces.push_back(value.substr(0, cut));
    value.remove_prefix(cut);
  }
  pieces.push_back(value);
  return pieces;
}

}  // namespace

bool worth_redacting(std::string_view value) {
  if (value.size() < value_bytes_min) return false;
  if (std::set<char>(value.begin(), value.end()).size() < 3) return false;
  if (names_a_place(value) && !has_random_part(value)) return false;
  std::string lower(value.substr(0, 64));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char byte) { return static_cast<char>(std::tolower(byte)); });
  const auto& common = redact_patterns::common_values;
  return value.size() > 64 || std::find(common.begin(), common.end(), lower) == common.end();
}

std::vector<SecretForm> forms_of(std::string_view value) {
  const bool utf8 = base::utf8::valid(value);
  std::set<std::string> seen;
  std::vector<SecretForm> forms;
  const auto add = [&](std::string bytes, bool text_only) {
    if (seen.insert(bytes).second) forms.push_back({std::move(bytes), text_only});
  };
  for (const std::string_view piece : pieces_of(value)) {
    add(std::string(piece), piece.find_first_of("\"\n\r") != std::string_view::npos);
    for (const bool slash : {false, true})
      for (const bool ascii : {false, true})
        for (const bool upper : {false, true}) {
          if (ascii && !utf8) continue;
          const std::string once = escaped(piece, {slash, ascii, upper});
          add(once, false);
          add(escaped(once, {}), false);
        }
  }
  return forms;
}

}  // namespace ledger
