#include "proxy/base/json_string.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "proxy/base/utf8.hpp"

namespace base::json {
namespace {

unsigned char byte_at(const char* at) { return static_cast<unsigned char>(*at); }

bool plain(char character) {
  const auto byte = static_cast<unsigned char>(character);
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

// Four hex digits, or -1.
int hex4(const char* at, const char* end) {
  if (end - at < 4) return -1;
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    const char digit = at[i];
    int nibble = 0;
    if (digit >= '0' && digit <= '9')
      nibble = digit - '0';
    else if (digit >= 'a' && digit <= 'f')
      nibble = digit - 'a' + 10;
    else if (digit >= 'A' && digit <= 'F')
      nibble = digit - 'A' + 10;
    else
      return -1;
    value = value << 4 | nibble;
  }
  return value;
}

bool high_surrogate(int unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool low_surrogate(int unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// One escape at `at` (its backslash): how many bytes it takes, 0 when it is broken.
std::size_t escape_length(const char* at, const char* end, bool& nul) {
  if (end - at < 2) return 0;
  if (at[1] != 'u') return at[1] != '\0' && std::strchr("\"\\/bfnrt", at[1]) != nullptr ? 2 : 0;
  const int unit = hex4(at + 2, end);
  if (unit < 0 || low_surrogate(unit)) return 0;
  nul = nul || unit == 0;
  if (!high_surrogate(unit)) return 6;
  const bool paired = end - at >= 12 && at[6] == '\\' && at[7] == 'u' && low_surrogate(hex4(at + 8, end));
  return paired ? 12 : 0;
}

}  // namespace

const char* skip_plain(const char* from, const char* end) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i space = _mm_set1_epi8(0x20);
  for (; end - from >= 16; from += 16) {
    const __m128i chunk = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    // Signed: less than a space are the control characters and every byte from 0x80 on.
    const __m128i stop =
        _mm_or_si128(_mm_cmplt_epi8(chunk, space),
                     _mm_or_si128(_mm_cmpeq_epi8(chunk, quote), _mm_cmpeq_epi8(chunk, backslash)));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(stop));
    if (mask != 0) return from + std::countr_zero(mask);
  }
#else
  constexpr std::uint64_t ones = 0x0101010101010101u;
  constexpr std::uint64_t tops = 0x8080808080808080u;
  for (; end - from >= 8; from += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, 8);
    const auto zero_byte = [&](std::uint64_t x) { return (x - ones) & ~x & tops; };
    const std::uint64_t below_space = (word - ones * 0x20) & ~word & tops;
    if (((word & tops) | below_space | zero_byte(word ^ (ones * '"')) | zero_byte(word ^ (ones * '\\'))) != 0)
      break;
  }
#endif
  while (from != end && plain(*from)) ++from;
  return from;
}

StringScan scan_string(const char* from, const char* end) {
  StringScan scan;
  const auto broken = [&](const char* problem, const char* at) {
    scan.problem = problem;
    scan.problem_at = at;
    return scan;
  };
  for (const char* at = from;;) {
    at = skip_plain(at, end);
    if (at == end) return broken("unterminated string", at);
    if (*at == '"') {
      scan.end = at + 1;
      return scan;
    }
    if (*at == '\\') {
      const std::size_t length = escape_length(at, end, scan.nul);
      if (length == 0) return broken("invalid escape or lone surrogate", at);
      scan.escaped = true;
      at += length;
      continue;
    }
    if (byte_at(at) < 0x20) return broken("control character in a string", at);
    while (at != end && byte_at(at) >= 0x80) {
      const std::size_t length = utf8::character_at({at, static_cast<std::size_t>(end - at)}, 0).length;
      if (length == 0) return broken("invalid UTF-8", at);
      at += length;
    }
  }
}

char* unescape_to(std::string_view body, char* out) {
  const char* at = body.data();
  const char* const end = at + body.size();
  while (at != end) {
    const auto* backslash =
        static_cast<const char*>(std::memchr(at, '\\', static_cast<std::size_t>(end - at)));
    const char* const stop = backslash == nullptr ? end : backslash;
    std::memcpy(out, at, static_cast<std::size_t>(stop - at));
    out += stop - at;
    at = stop;
    if (at == end) break;
    if (at[1] != 'u') {
      constexpr std::string_view spelled = "\"\\/bfnrt";
      constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
      *out++ = meant[spelled.find(at[1])];
      at += 2;
      continue;
    }
    auto point = static_cast<std::uint32_t>(hex4(at + 2, end));
    at += 6;
    if (high_surrogate(static_cast<int>(point))) {
      point = 0x10000 + ((point - 0xD800) << 10) + (static_cast<std::uint32_t>(hex4(at + 2, end)) - 0xDC00);
      at += 6;
    }
    out = utf8::put(point, out);
  }
  return out;
}

std::string unescaped(std::string_view quoted_string) {
  const std::string_view body = quoted_string.substr(1, quoted_string.size() - 2);
  std::string text(body.size(), '\0');
  text.resize(static_cast<std::size_t>(unescape_to(body, text.data()) - text.data()));
  return text;
}

}  // namespace base::json
