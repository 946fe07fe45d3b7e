#pragma once
// SHA-256 (FIPS 180-4) by OpenSSL.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace base {

using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::string_view bytes);
// Over the concatenation of the parts.
Digest sha256(std::initializer_list<std::string_view> parts);

// Incremental: update any number of times, then finish once.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void update(std::string_view bytes);
  Digest finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string_view bytes_of(const Digest& digest);
std::string hex(std::string_view bytes);                       // lower case
std::string hex(const Digest& digest);                         // 64 lower-case digits
std::optional<Digest> digest_from_hex(std::string_view text);  // exactly 64 lower-case digits
std::optional<std::string> from_hex(std::string_view text);    // lower case, even length

}  // namespace base
