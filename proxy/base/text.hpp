#pragma once
// Bounded, safe text from untrusted bytes.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace base {

// At most `bytes_max` bytes, cut at a character, with `…` appended when cut.
std::string bounded(std::string_view text, std::size_t bytes_max);

// For messages and logs: one line, at most `bytes_max` bytes; control, bidi, zero-width and invalid
// characters as `\xNN` or `\u{NNNN}`.
std::string printable(std::string_view text, std::size_t bytes_max = 200);

// `text` in backticks, printable; where it holds some itself, in more of them.
std::string quoted(std::string_view text, std::size_t bytes_max = 200);

std::string lower(std::string_view text);  // ASCII letters only

std::string base64(std::string_view bytes);  // RFC 4648, padded
// Exactly what base64() makes; nullopt: anything else.
std::optional<std::string> from_base64(std::string_view text);

// Whether `pattern` (with `*` any run and `?` any one byte) matches all of `text`. For names, not paths.
bool glob_match(std::string_view pattern, std::string_view text);

// The candidate nearest to `word` by edit distance, or empty when none is near: for «did you mean».
template <class Range>
std::string_view nearest(std::string_view word, const Range& candidates);
std::size_t edit_distance(std::string_view a, std::string_view b);

template <class Range>
std::string_view nearest(std::string_view word, const Range& candidates) {
  std::string_view best;
  std::size_t best_distance = word.size() / 3 + 2;
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace base
