#pragma once
// What a regular expression cannot say of a match: sums, entropy, words that stand for a secret and are none.
// Each is linear in what it is given.

#include <string_view>

namespace policy::detect {

using Check = bool (*)(std::string_view found);

// nullptr: there is none of that name.
Check check_named(std::string_view name);

namespace checks {

// Not a stand-in (`EXAMPLE`, `xxxx`, `<your-key>`, `${TOKEN}`, one letter again and again).
bool real(std::string_view value);
// real, and looks drawn by lot: letters and digits mixed, no words.
bool random(std::string_view value);
// real, and with letters and something else: as people make passwords.
bool password(std::string_view value);
// `SCHEME://USER:PASSWORD@`
bool url_password(std::string_view text);
// `NAME = VALUE`, in the notations of programs and settings; the name says that it is secret.
bool assigned(std::string_view text);
// The first part of a JSON web token is a header (RFC 7519).
bool token(std::string_view text);

// Luhn's sum (ISO/IEC 7812-1) and the prefix and length of an issuer; blanks and `-` only as cards have them.
bool card(std::string_view text);
// Country, length and check digits (ISO 13616).
bool iban(std::string_view text);
// base58check, any version; and a private key as wallets export it (version 0x80 or 0xef).
bool base58(std::string_view text);
bool wallet_key(std::string_view text);
// Of a whole text: 12, 15, 18, 21 or 24 English words in a row with the checksum of BIP-39.
bool seed_phrase(std::string_view text);

// Unicode tags that hide text: not those of a flag.
bool tags(std::string_view text);

}  // namespace checks
}  // namespace policy::detect
