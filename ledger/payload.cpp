#include "ledger/payload.hpp"

#include <libdeflate.h>

#include <array>
#include <memory>
#include <utility>

#include "proxy/base/aead.hpp"
#include "proxy/base/check.hpp"
#include "proxy/base/file.hpp"

namespace ledger::payload {
namespace {

constexpr std::size_t compress_from = 1024;  // below, the call costs more than the bytes it saves
constexpr int compression_level = 1;

struct Deleter {
  void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};

// Empty when it would not be smaller. Of the room for the stream only what it fills is ever touched.
std::string compressed(std::string_view bytes) {
  thread_local const std::unique_ptr<libdeflate_compressor, Deleter> compressor(
      libdeflate_alloc_compressor(compression_level));
  CHECK(compressor != nullptr);
  const std::size_t room = bytes.size() - 1;  // no more: not smaller
  const auto stream = std::make_unique_for_overwrite<char[]>(room);
  const std::size_t size =
      libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), stream.get(), room);
  return {stream.get(), size};
}

base::Error broken(const char* why) {
  return base::Error(base::Code::invalid, std::string("payload ") + why);
}

base::Result<std::string> decompressed(std::string_view stream, std::size_t size) {
  thread_local const std::unique_ptr<libdeflate_decompressor, Deleter> decompressor(
      libdeflate_alloc_decompressor());
  CHECK(decompressor != nullptr);
  std::string bytes(size, '\0');
  std::size_t read = 0;
  const auto result = libdeflate_zlib_decompress_ex(decompressor.get(), stream.data(), stream.size(),
                                                    bytes.data(), bytes.size(), &read, nullptr);
  if (result != LIBDEFLATE_SUCCESS || read != stream.size()) return broken("does not decompress");
  return bytes;
}

std::string_view nonce_of(std::string_view salt) { return salt.substr(0, base::aead::nonce_bytes); }

}  // namespace

// Salts come in blocks, straight from the kernel: OpenSSL's generator costs a start nearly a millisecond. A
// used salt is wiped, since whoever holds the salt of an erased payload could test guesses against its
// commitment.
std::string fresh_salt() {
  struct Block {
    std::string bytes;
    std::size_t used = 0;
  };
  thread_local Block block;
  if (block.used == block.bytes.size()) block = {base::random_bytes(salt_bytes * 64), 0};
  char* const begin = block.bytes.data() + block.used;
  std::string salt(begin, salt_bytes);
  std::fill(begin, begin + salt_bytes, '\0');
  block.used += salt_bytes;
  return salt;
}

StoredPayload pack(std::string slot, std::string salt, std::string_view redacted, std::string_view key) {
  StoredPayload stored;
  stored.slot = std::move(slot);
  stored.salt = std::move(salt);
  std::string coded;
  if (redacted.size() >= compress_from) coded = compressed(redacted);
  stored.codec = coded.empty() ? 0 : 1;
  stored.bytes = base::aead::seal(key, nonce_of(stored.salt), stored.salt, coded.empty() ? redacted : coded);
  return stored;
}

base::Result<std::string> unpack(const StoredPayload& stored, std::uint64_t size, std::string_view key) {
  if (size > bytes_max) return base::Error(base::Code::limit, "payload is larger than 64 MiB");
  if (stored.codec != 0 && stored.codec != 1) return broken("has an unknown codec");
  if (stored.salt.size() != salt_bytes || stored.same) return broken("has no bytes of its own");
  auto coded = base::aead::open(key, nonce_of(stored.salt), stored.salt, stored.bytes);
  if (!coded) return broken("does not open with its key");
  if (stored.codec == 1) return decompressed(*coded, static_cast<std::size_t>(size));
  if (coded->size() != size) return broken("has another size");
  return std::move(*coded);
}

Commitment commit(std::string slot, std::string_view salt, std::string_view redacted) {
  CHECK(salt.size() == salt_bytes);
  std::array<char, 5 + salt_bytes + 8> head{'p', 'l', 'c', '1', '\0'};
  std::copy(salt.begin(), salt.end(), head.begin() + 5);
  for (std::size_t i = 0; i < 8; ++i)
    head[5 + salt_bytes + i] = static_cast<char>(static_cast<std::uint64_t>(redacted.size()) >> (56 - 8 * i));
  return {std::move(slot), base::sha256({std::string_view(head.data(), head.size()), redacted}),
          redacted.size()};
}

}  // namespace ledger::payload
