#pragma once
// HMAC-SHA256 (RFC 2104) by OpenSSL.

#include <string>
#include <string_view>

namespace base {

std::string hmac_sha256(std::string_view key, std::string_view bytes);  // 32 bytes

}  // namespace base
