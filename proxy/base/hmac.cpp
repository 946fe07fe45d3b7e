#include "proxy/base/hmac.hpp"

#include <openssl/evp.h>

#include "proxy/base/check.hpp"

namespace base {

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  std::string code(32, '\0');
  std::size_t size = 0;
  CHECK(EVP_Q_mac(nullptr, "HMAC", nullptr, "SHA256", nullptr, key.data(), key.size(),
                  reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                  reinterpret_cast<unsigned char*>(code.data()), code.size(), &size) != nullptr);
  return code;
}

}  // namespace base
