#pragma once
// ChaCha20-Poly1305 (RFC 8439) by OpenSSL: nobody without the key reads what is sealed, and nobody changes it
// unnoticed.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace base::aead {

inline constexpr std::size_t key_bytes = 32;
inline constexpr std::size_t nonce_bytes = 12;  // never twice under one key
inline constexpr std::size_t tag_bytes = 16;

// The ciphertext, then the tag. `beside` is bound, not stored.
std::string seal(std::string_view key, std::string_view nonce, std::string_view beside,
                 std::string_view plain);
// nullopt: not what seal() made of these. Thread-safe, both.
std::optional<std::string> open(std::string_view key, std::string_view nonce, std::string_view beside,
                                std::string_view sealed);

}  // namespace base::aead
