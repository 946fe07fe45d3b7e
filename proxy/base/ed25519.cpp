#include "proxy/base/ed25519.hpp"

#include <openssl/evp.h>

#include <algorithm>

#include "proxy/base/check.hpp"
#include "proxy/base/sha256.hpp"

namespace base {
namespace {

const unsigned char* bytes_in(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

struct ContextDeleter {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_MD_CTX, ContextDeleter>;

}  // namespace

void SigningKey::Deleter::operator()(void* key) const { EVP_PKEY_free(static_cast<EVP_PKEY*>(key)); }

SigningKey SigningKey::generate() {
  EVP_PKEY* key = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
  CHECK(key != nullptr);
  return SigningKey(key);
}

Result<SigningKey> SigningKey::from_seed(std::string_view seed) {
  if (seed.size() != 32) return Error(Code::invalid, "an Ed25519 key has 32 bytes");
  EVP_PKEY* key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes_in(seed), seed.size());
  if (key == nullptr) return Error(Code::invalid, "not an Ed25519 key");
  return SigningKey(key);
}

std::string SigningKey::seed() const {
  std::string seed(32, '\0');
  std::size_t size = seed.size();
  CHECK(EVP_PKEY_get_raw_private_key(static_cast<EVP_PKEY*>(key_.get()),
                                     reinterpret_cast<unsigned char*>(seed.data()), &size) == 1);
  return seed;
}

PublicKey SigningKey::public_key() const {
  PublicKey key{};
  std::size_t size = key.size();
  CHECK(EVP_PKEY_get_raw_public_key(static_cast<EVP_PKEY*>(key_.get()), key.data(), &size) == 1);
  return key;
}

Signature SigningKey::sign(std::string_view message) const {
  const Context context(EVP_MD_CTX_new());
  Signature signature{};
  std::size_t size = signature.size();
  CHECK(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, static_cast<EVP_PKEY*>(key_.get())) ==
        1);
  CHECK(EVP_DigestSign(context.get(), signature.data(), &size, bytes_in(message), message.size()) == 1);
  return signature;
}

std::string SigningKey::sign_hex(std::string_view message) const {
  const Signature signature = sign(message);
  return hex({reinterpret_cast<const char*>(signature.data()), signature.size()});
}

std::string public_hex(const PublicKey& key) {
  return hex({reinterpret_cast<const char*>(key.data()), key.size()});
}

bool verify_signature(const PublicKey& key, std::string_view message, const Signature& signature) {
  EVP_PKEY* opened = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key.data(), key.size());
  if (opened == nullptr) return false;
  const Context context(EVP_MD_CTX_new());
  const bool good = EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, opened) == 1 &&
                    EVP_DigestVerify(context.get(), signature.data(), signature.size(), bytes_in(message),
                                     message.size()) == 1;
  EVP_PKEY_free(opened);
  return good;
}

bool verify_hex_signature(std::string_view key, std::string_view message, std::string_view signature) {
  const auto key_bytes = digest_from_hex(key);
  const auto bytes = from_hex(signature);
  if (!key_bytes || !bytes || bytes->size() != Signature{}.size()) return false;
  Signature given{};
  std::copy(bytes->begin(), bytes->end(), given.begin());
  return verify_signature(*key_bytes, message, given);
}

}  // namespace base
