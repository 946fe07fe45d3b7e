#include "proxy/base/sha256.hpp"

#include <openssl/evp.h>

#include "proxy/base/check.hpp"

namespace base {
namespace {

// Fetched once: EVP_sha256() alone looks the algorithm up at every use.
const EVP_MD* algorithm() {
  static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  CHECK(fetched != nullptr);
  return fetched;
}

EVP_MD_CTX* thread_context() {
  struct Context {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    ~Context() { EVP_MD_CTX_free(context); }
  };
  thread_local Context mine;
  return mine.context;
}

// The value of each lower-case hex digit; -1 for all else.
constexpr std::array<std::int8_t, 256> nibbles = [] {
  std::array<std::int8_t, 256> values{};
  for (auto& value : values) value = -1;
  for (int i = 0; i < 16; ++i)
    values[static_cast<unsigned char>("0123456789abcdef"[i])] = static_cast<std::int8_t>(i);
  return values;
}();

int nibble(char digit) { return nibbles[static_cast<unsigned char>(digit)]; }

// False: not exactly that many bytes in hex.
bool read_hex(std::string_view text, std::uint8_t* to, std::size_t count) {
  if (text.size() != 2 * count) return false;
  int wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const int value = nibble(text[2 * i]) << 4 | nibble(text[2 * i + 1]);
    wrong |= value;
    to[i] = static_cast<std::uint8_t>(value);
  }
  return wrong >= 0;
}

}  // namespace

Digest sha256(std::initializer_list<std::string_view> parts) {
  EVP_MD_CTX* context = thread_context();
  Digest digest{};
  CHECK(EVP_DigestInit_ex2(context, algorithm(), nullptr) == 1);
  for (const auto part : parts) CHECK(EVP_DigestUpdate(context, part.data(), part.size()) == 1);
  CHECK(EVP_DigestFinal_ex(context, digest.data(), nullptr) == 1);
  return digest;
}

Digest sha256(std::string_view bytes) { return sha256({bytes}); }

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  CHECK(EVP_DigestInit_ex2(state_->context, algorithm(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  CHECK(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1);
}

Digest Sha256::finish() {
  Digest digest{};
  CHECK(EVP_DigestFinal_ex(state_->context, digest.data(), nullptr) == 1);
  return digest;
}

std::string_view bytes_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string hex(std::string_view bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += digits[value >> 4];
    text += digits[value & 15];
  }
  return text;
}

std::string hex(const Digest& digest) { return hex(bytes_of(digest)); }

std::optional<std::string> from_hex(std::string_view text) {
  std::string bytes(text.size() / 2, '\0');
  if (!read_hex(text, reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size())) return std::nullopt;
  return bytes;
}

std::optional<Digest> digest_from_hex(std::string_view text) {
  Digest digest{};
  if (!read_hex(text, digest.data(), digest.size())) return std::nullopt;
  return digest;
}

}  // namespace base
