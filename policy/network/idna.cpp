#include "policy/network/idna.hpp"

#include <algorithm>

#include "policy/network/idna_table.hpp"
#include "policy/path/unicode.hpp"
#include "proxy/base/utf8.hpp"

namespace policy::network {
namespace {

constexpr char32_t sharp_s = 0xDF;
constexpr char32_t capital_sharp_s = 0x1E9E;
constexpr char32_t final_sigma = 0x3C2;
constexpr char32_t sigma = 0x3C3;
constexpr std::size_t name_bytes_max = 1024;  // a name has 253 bytes

// RFC 3492, 5.
constexpr std::size_t radix = 36;
constexpr std::size_t threshold_min = 1;
constexpr std::size_t threshold_max = 26;
constexpr std::size_t skew = 38;
constexpr std::size_t damp = 700;
constexpr std::size_t first_bias = 72;

std::size_t adapted(std::size_t delta, std::size_t count, bool first) {
  delta = first ? delta / damp : delta / 2;
  delta += delta / count;
  std::size_t rounds = 0;
  for (; delta > (radix - threshold_min) * threshold_max / 2; rounds += radix) delta /= radix - threshold_min;
  return rounds + (radix - threshold_min + 1) * delta / (delta + skew);
}

char digit(std::size_t value) { return static_cast<char>(value < 26 ? 'a' + value : '0' + (value - 26)); }

void put_number(std::string& out, std::size_t number, std::size_t bias) {
  for (std::size_t k = radix;; k += radix) {
    const std::size_t threshold = k <= bias                   ? threshold_min
                                  : k >= bias + threshold_max ? threshold_max
                                                              : k - bias;
    if (number < threshold) break;
    out += digit(threshold + (number - threshold) % (radix - threshold));
    number = (number - threshold) / (radix - threshold);
  }
  out += digit(number);
}

std::string a_label(std::u32string_view label) {
  std::string text;
  const bool ascii = std::all_of(label.begin(), label.end(), [](char32_t c) { return c < 0x80; });
  if (!ascii) return "xn--" + punycode(label);
  for (const char32_t c : label) text += static_cast<char>(c);
  return text;
}

std::string a_labels(std::u32string_view name) {
  std::string text;
  for (;;) {
    const std::size_t dot = name.find(U'.');
    text += a_label(name.substr(0, dot));
    if (dot == std::u32string_view::npos) return text;
    text += '.';
    name.remove_prefix(dot + 1);
  }
}

// `older`: as IDNA 2003 has it. False: the character is not known.
bool put_mapped(std::u32string& out, char32_t character, bool older, NameReading& reading) {
  if (character < 0x80) {
    out += character >= U'A' && character <= U'Z' ? character + 0x20 : character;
    return true;
  }
  if (character == sharp_s || character == capital_sharp_s || character == final_sigma) {
    reading.agreed = false;
    if (character == final_sigma) {
      out += older ? sigma : final_sigma;
    } else {
      out += older ? std::u32string(U"ss") : std::u32string(1, sharp_s);
    }
    return true;
  }
  const Mapping mapping = mapping_of(character);
  switch (mapping.kind) {
    case Mapping::Kind::unknown: return false;
    case Mapping::Kind::dropped: break;
    case Mapping::Kind::spells: out.append(mapping.text.begin(), mapping.text.end()); break;
    case Mapping::Kind::becomes: out += mapping.character; break;
  }
  if (mapping.kind != Mapping::Kind::becomes || mapping.character < 0x80) reading.agreed = false;
  return true;
}

}  // namespace

std::string punycode(std::u32string_view label) {
  std::string out;
  for (const char32_t c : label)
    if (c < 0x80) out += static_cast<char>(c);
  const std::size_t basic = out.size();
  std::size_t handled = basic;
  if (basic > 0) out += '-';
  std::size_t delta = 0;
  std::size_t bias = first_bias;
  for (char32_t next = 0x80; handled < label.size(); ++next) {
    char32_t smallest = 0x110000;
    for (const char32_t c : label)
      if (c >= next) smallest = std::min(smallest, c);
    delta += (smallest - next) * (handled + 1);
    next = smallest;
    for (const char32_t c : label) {
      if (c < next) ++delta;
      if (c != next) continue;
      put_number(out, delta, bias);
      bias = adapted(delta, handled + 1, handled == basic);
      delta = 0;
      ++handled;
    }
    ++delta;
  }
  return out;
}

NameReading read_name(std::string_view utf8) {
  NameReading reading;
  reading.unknown = utf8.size() > name_bytes_max || !base::utf8::valid(utf8) || may_be_respelled(utf8);
  std::u32string newer;
  std::u32string older;
  for (std::size_t at = 0; at < utf8.size() && !reading.unknown;) {
    const auto character = base::utf8::character_at(utf8, at);
    at += character.length;
    reading.unknown = !put_mapped(newer, character.point, false, reading) ||
                      !put_mapped(older, character.point, true, reading);
  }
  if (reading.unknown) {
    reading.agreed = false;
    return reading;
  }
  reading.names.push_back(a_labels(newer));
  if (older != newer) reading.names.push_back(a_labels(older));
  return reading;
}

}  // namespace policy::network
