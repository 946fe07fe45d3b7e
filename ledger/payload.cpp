#include "ledger/payload.hpp"

#include <zstd.h>

#include <array>
#include <memory>
#include <utility>

#include "proxy/base/check.hpp"
#include "proxy/base/file.hpp"

namespace ledger::payload {
namespace {

constexpr std::size_t compress_from = 1024;  // below, the call costs more than the bytes it saves
constexpr int compression_level = 1;
constexpr std::size_t seal_bytes = 16;

struct Compressor {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct Decompressor {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

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

// Different frames can hold the same bytes (decoders ignore some bits), so the frame is sealed by a digest of
// itself, in a skippable frame that other zstd tools pass over: a changed byte is always seen.
std::string seal_of(std::string_view frame) {
  const base::Digest digest = base::sha256(frame);
  std::string seal("\x50\x2a\x4d\x18\x08\x00\x00\x00", 8);
  seal += base::bytes_of(digest).substr(0, seal_bytes - seal.size());
  return seal;
}

// Empty when it would not be smaller. Of the room for the frame only what the frame fills is ever touched.
std::string compressed(std::string_view bytes) {
  thread_local const std::unique_ptr<ZSTD_CCtx, Compressor> context(ZSTD_createCCtx());
  CHECK(context != nullptr);
  const std::size_t room = bytes.size() - seal_bytes - 1;  // no more: not smaller
  const auto frame = std::make_unique_for_overwrite<char[]>(room);
  const std::size_t size =
      ZSTD_compressCCtx(context.get(), frame.get(), room, bytes.data(), bytes.size(), compression_level);
  if (ZSTD_isError(size)) return {};
  const std::string_view view(frame.get(), size);
  std::string sealed;
  sealed.reserve(size + seal_bytes);
  sealed += view;
  sealed += seal_of(view);
  return sealed;
}

base::Error broken(const char* why) {
  return base::Error(base::Code::invalid, std::string("payload ") + why);
}

base::Result<std::string> decompressed(std::string_view sealed) {
  if (sealed.size() < seal_bytes) return broken("is not a sealed zstd frame");
  const std::string_view frame = sealed.substr(0, sealed.size() - seal_bytes);
  if (sealed.substr(frame.size()) != seal_of(frame)) return broken("does not match its seal");
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR)
    return broken("is not a zstd frame with a size");
  if (size > bytes_max) return base::Error(base::Code::limit, "payload is larger than 64 MiB");
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size())
    return broken("is not exactly one zstd frame");
  thread_local const std::unique_ptr<ZSTD_DCtx, Decompressor> context(ZSTD_createDCtx());
  CHECK(context != nullptr);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  const std::size_t got =
      ZSTD_decompressDCtx(context.get(), bytes.data(), bytes.size(), frame.data(), frame.size());
  if (ZSTD_isError(got) || got != bytes.size()) return broken("does not decompress");
  return bytes;
}

}  // namespace

StoredPayload pack(std::string slot, std::string_view redacted) {
  StoredPayload stored;
  stored.slot = std::move(slot);
  stored.salt = fresh_salt();
  if (redacted.size() >= compress_from) stored.bytes = compressed(redacted);
  stored.codec = stored.bytes.empty() ? 0 : 1;
  if (stored.codec == 0) stored.bytes = redacted;
  return stored;
}

base::Result<std::string> unpack(const StoredPayload& stored) {
  if (stored.key_id != 0) return broken("is encrypted with an unknown key");
  if (stored.codec == 1) return decompressed(stored.bytes);
  if (stored.codec != 0) return broken("has an unknown codec");
  if (stored.bytes.size() > bytes_max) return base::Error(base::Code::limit, "payload is larger than 64 MiB");
  return stored.bytes;
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
