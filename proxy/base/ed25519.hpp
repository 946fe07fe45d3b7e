#pragma once
// Ed25519 (RFC 8032) keys and signatures by OpenSSL.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "proxy/base/error.hpp"

namespace base {

using PublicKey = std::array<std::uint8_t, 32>;
using Signature = std::array<std::uint8_t, 64>;

// A private key in memory.
class SigningKey {
 public:
  static SigningKey generate();
  // The 32 raw bytes (RFC 8032 private key seed).
  static Result<SigningKey> from_seed(std::string_view seed);
  std::string seed() const;
  PublicKey public_key() const;
  Signature sign(std::string_view message) const;
  std::string sign_hex(std::string_view message) const;  // 128 hex digits

 private:
  struct Deleter {
    void operator()(void* key) const;
  };
  explicit SigningKey(void* key) : key_(key) {}
  std::unique_ptr<void, Deleter> key_;
};

std::string public_hex(const PublicKey& key);  // 64 hex digits

bool verify_signature(const PublicKey& key, std::string_view message, const Signature& signature);
// Key and signature as 64 and 128 lower-case hex digits; false for anything else.
bool verify_hex_signature(std::string_view key, std::string_view message, std::string_view signature);

}  // namespace base
