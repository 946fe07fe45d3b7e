#include "policy/detect/digits.hpp"

#include <vector>

#include "policy/detect/readable.hpp"

namespace policy::detect {
namespace {

template <unsigned bits>
void decode(const DigitValues& values, std::string_view run, std::string& bytes) {
  constexpr std::size_t digits_of_three = 24 / bits;
  bytes.resize(run.size() * bits / 8);
  char* byte = bytes.data();
  const auto take = [&](const char* digit, std::size_t digits) {
    unsigned held = 0;
    for (std::size_t i = 0; i < digits; ++i) held = held << bits | value_of(values, digit[i]);
    return held;
  };
  const char* digit = run.data();
  const char* const end = digit + run.size();
  for (; end - digit >= static_cast<std::ptrdiff_t>(digits_of_three); digit += digits_of_three) {
    const unsigned three = take(digit, digits_of_three);
    *byte++ = static_cast<char>(three >> 16);
    *byte++ = static_cast<char>(three >> 8);
    *byte++ = static_cast<char>(three);
  }
  const auto left = static_cast<std::size_t>(end - digit);
  const unsigned held = take(digit, left) << (24 - left * bits);
  for (std::size_t i = 0; i < left * bits / 8; ++i) *byte++ = static_cast<char>(held >> (16 - 8 * i));
}

// Whether all of the run is text.
bool add_run(const Digits& digits, std::string_view run, std::string& bytes, std::string& out) {
  for (std::size_t skip = 0; skip < digits.skips && run.size() >= digits.run_least + skip; ++skip) {
    digits.bits == 6 ? decode<6>(digits.values, run.substr(skip), bytes)
                     : decode<4>(digits.values, run.substr(skip), bytes);
    if (add_readable(bytes, out)) return true;
  }
  return false;
}

// The lines of a run that begins at `at`, without what they are indented by; the last may be a short one.
// Where they end.
std::size_t lines_of_run(const Digits& digits, std::string_view text, std::size_t at,
                         std::vector<std::string_view>& lines) {
  lines.clear();
  for (;;) {
    std::size_t end = at;
    while (end < text.size() && in(digits.values, text[end])) ++end;
    const bool closed =
        end == text.size() || std::string_view("=\r\n\"'`<,\\").find(text[end]) != std::string_view::npos;
    if (end - at < digits.run_least && !closed) return end;
    lines.push_back(text.substr(at, end - at));
    if (end - at < digits.run_least) return end;
    std::size_t next = end;
    if (next < text.size() && text[next] == '\r') ++next;
    if (next >= text.size() || text[next] != '\n') return end;
    do ++next;
    while (next < text.size() && (text[next] == ' ' || text[next] == '\t'));
    if (next >= text.size() || !in(digits.values, text[next])) return end;
    at = next;
  }
}

}  // namespace

std::size_t next_run(const DigitValues& values, std::string_view text, std::size_t at, std::size_t least) {
  while (at + least <= text.size()) {
    std::size_t from = at + least;
    while (from > at && in(values, text[from - 1])) --from;
    if (from == at) return at;
    at = from;
  }
  return std::string_view::npos;
}

void add_digits(const Digits& digits, std::string_view text, std::string& out) {
  std::vector<std::string_view> lines;
  std::string joined;
  std::string bytes;
  for (std::size_t at = 0;
       (at = next_run(digits.values, text, at, digits.run_least)) != std::string_view::npos;) {
    at = lines_of_run(digits, text, at, lines);
    if (lines.size() > 1) {
      joined.clear();
      for (const std::string_view line : lines) joined += line;
      if (add_run(digits, joined, bytes, out)) continue;
    }
    for (const std::string_view line : lines) add_run(digits, line, bytes, out);
  }
}

}  // namespace policy::detect
