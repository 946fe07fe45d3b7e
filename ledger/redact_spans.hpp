#pragma once
// Where secrets stand in a text, and taking them out of it. Positions are byte offsets.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ledger {

struct Redacted;

struct SecretSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  const char* rule = "";
  bool quoted = false;  // the mark needs quotes: it stands where a JSON number stood
};

// Whether a secret inside running text may hold the byte: no white space, control, quote or backslash, and
// nothing that a shell acts on. A command cannot hide in a run of such bytes.
bool inert(char byte);

// Whether the first character could start a JSON object, array or string.
bool looks_like_json(std::string_view text);

// A copy of the text in which printable ASCII characters written as \u00XX, at any depth of JSON in JSON,
// stand as themselves, and where each byte of it came from. Escaped quotes and backslashes stay escaped.
struct PlainView {
  // From `begin` of the view on, up to the next part, bytes come from `from` on, or all of them from there.
  struct Part {
    std::size_t begin, from;
    bool all_from_there;
  };
  std::string text;
  std::vector<Part> parts;
  // Of each byte, and of the end.
  std::size_t origin(std::size_t position) const;
};
PlainView without_ascii_escapes(std::string_view text);

// The end of a JSON string whose contents begin at `begin`, where its opening quote had `backslashes` before
// it (0; 1, 3, 7 for JSON in JSON strings): the position of what closes it, or of the line's or text's end.
std::size_t string_end(std::string_view text, std::size_t begin, std::size_t backslashes);

// How many backslashes stand directly before `at`, not looking before `from`.
std::size_t backslashes_before(std::string_view text, std::size_t at, std::size_t from = 0);

// Sorts, joins what overlaps (under the rule of the first and longest), moves edges
// inwards off the middle of escapes, and keeps JSON whole.
void settle(std::string_view text, std::vector<SecretSpan>& spans);

// `spans` are settled.
Redacted take_out(std::string_view text, const std::vector<SecretSpan>& spans);

}  // namespace ledger
