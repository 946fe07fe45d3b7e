#pragma once
// UTF-8 (Unicode 15, table 3-7): neither overlong forms nor surrogates nor points past U+10FFFF.

#include <cstddef>
#include <string>
#include <string_view>

namespace base::utf8 {

struct Character {
  char32_t point = 0;
  std::size_t length = 0;  // bytes; 0: no valid UTF-8 here, one byte is to be skipped
};

// The character at `at` < bytes.size().
Character character_at(std::string_view bytes, std::size_t at);
bool valid(std::string_view bytes);

// Writes the one to four bytes of a point up to U+10FFFF; past them, the end.
char* put(char32_t point, char* out);
void append(std::string& to, char32_t point);

}  // namespace base::utf8
