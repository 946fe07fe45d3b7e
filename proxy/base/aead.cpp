#include "proxy/base/aead.hpp"

#include <openssl/evp.h>

#include <climits>

#include "proxy/base/check.hpp"

namespace base::aead {
namespace {

// Fetched once: looking the algorithm up costs more than sealing a kilobyte.
const EVP_CIPHER* algorithm() {
  static const EVP_CIPHER* const fetched = EVP_CIPHER_fetch(nullptr, "ChaCha20-Poly1305", nullptr);
  CHECK(fetched != nullptr);
  return fetched;
}

EVP_CIPHER_CTX* thread_context() {
  struct Context {
    EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
    ~Context() { EVP_CIPHER_CTX_free(context); }
  };
  thread_local Context mine;
  CHECK(mine.context != nullptr);
  return mine.context;
}

const unsigned char* in(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

unsigned char* out(std::string& bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }

// One message from the beginning: 1 seals, 0 opens.
EVP_CIPHER_CTX* begin(int seals, std::string_view key, std::string_view nonce, std::string_view beside) {
  CHECK(key.size() == key_bytes && nonce.size() == nonce_bytes && beside.size() < INT_MAX);
  EVP_CIPHER_CTX* context = thread_context();
  CHECK(EVP_CipherInit_ex2(context, algorithm(), in(key), in(nonce), seals, nullptr) == 1);
  int count = 0;
  CHECK(EVP_CipherUpdate(context, nullptr, &count, in(beside), static_cast<int>(beside.size())) == 1);
  return context;
}

}  // namespace

std::string seal(std::string_view key, std::string_view nonce, std::string_view beside,
                 std::string_view plain) {
  CHECK(plain.size() < INT_MAX - tag_bytes);
  EVP_CIPHER_CTX* context = begin(1, key, nonce, beside);
  std::string sealed(plain.size() + tag_bytes, '\0');
  int count = 0, rest = 0;
  CHECK(EVP_CipherUpdate(context, out(sealed), &count, in(plain), static_cast<int>(plain.size())) == 1);
  CHECK(EVP_CipherFinal_ex(context, out(sealed) + count, &rest) == 1);
  CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_bytes, out(sealed) + plain.size()) == 1);
  return sealed;
}

std::optional<std::string> open(std::string_view key, std::string_view nonce, std::string_view beside,
                                std::string_view sealed) {
  if (sealed.size() < tag_bytes || sealed.size() >= INT_MAX) return std::nullopt;
  EVP_CIPHER_CTX* context = begin(0, key, nonce, beside);
  std::string tag(sealed.substr(sealed.size() - tag_bytes));
  std::string plain(sealed.size() - tag_bytes, '\0');
  int count = 0, rest = 0;
  CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tag_bytes, out(tag)) == 1);
  const bool good =
      EVP_CipherUpdate(context, out(plain), &count, in(sealed), static_cast<int>(plain.size())) == 1 &&
      EVP_CipherFinal_ex(context, out(plain) + count, &rest) == 1;
  if (!good) return std::nullopt;
  return plain;
}

}  // namespace base::aead
