#pragma once
// The ways of decoding, each linear in the text: what one of them makes of it goes onto `out`, its pieces on
// lines of their own; nothing, where there is nothing to decode.

#include <string>
#include <string_view>

namespace policy::detect {

void add_base64(std::string_view text, std::string& out);
// Digits in a row.
void add_hex(std::string_view text, std::string& out);
// Groups of digits, with offsets before them and characters beside them or without.
void add_dumps(std::string_view text, std::string& out);
// `%41`, `\x41` and `\u0041`: the whole text without them.
void add_escapes(std::string_view text, std::string& out);
// The whole text without characters that nobody sees (zero-width ones, bidi controls, soft hyphens, zeros);
// Unicode tags as the letters they stand for.
void add_hidden(std::string_view text, std::string& out);

}  // namespace policy::detect
