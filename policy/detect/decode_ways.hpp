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
// Bytes as numbers in a list.
void add_numbers(std::string_view text, std::string& out);
// `%41`, `\x41`, `\101`, `\u0041`, `\u{41}`, `\U00000041`, `&#65;` and `&#x41;`: the whole text without them.
void add_escapes(std::string_view text, std::string& out);
// The whole text without characters that nobody sees (those that Unicode says may be ignored, and zeros);
// Unicode tags as the letters they stand for.
void add_hidden(std::string_view text, std::string& out);

}  // namespace policy::detect
