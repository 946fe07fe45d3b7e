#pragma once
// The inside of JSON strings: one pass, 16 bytes at a time where the text is plain.

#include <cstddef>
#include <string>
#include <string_view>

namespace base::json {

// What one string body holds. `problem` set: broken, at `problem_at`.
struct StringScan {
  const char* end = nullptr;  // past the closing quote
  bool escaped = false;       // has a backslash
  bool nul = false;           // has \u0000
  const char* problem = nullptr;
  const char* problem_at = nullptr;
};

// From just past the opening quote. Refuses control characters, unknown escapes, lone surrogate escapes and
// invalid UTF-8 (overlong forms, surrogates, points past U+10FFFF).
StringScan scan_string(const char* from, const char* end);

// The first byte that is not plain: a quote, a backslash, a control character or not ASCII; else `end`.
const char* skip_plain(const char* from, const char* end);

// Writes what a body that scan_string() accepted means; never longer than the body. Returns the new end.
char* unescape_to(std::string_view body, char* out);

// The meaning of a string with its quotes, already scanned.
std::string unescaped(std::string_view quoted_string);

}  // namespace base::json
