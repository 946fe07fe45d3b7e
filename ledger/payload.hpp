#pragma once
// What belongs to a record but stands apart from it, so that it can be erased while the chain still verifies:
// arguments, results, texts. The record commits to the redacted bytes with a salt (record.hpp, FORMAT.md);
// the payload row keeps the salt and the bytes, compressed where that helps.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ledger/record.hpp"
#include "proxy/base/error.hpp"

namespace ledger {

struct StoredPayload {
  std::string slot;
  std::string salt;         // 32 random bytes
  int codec = 0;            // 0: the bytes themselves; 1: zstd, see below
  std::int64_t key_id = 0;  // 0: not encrypted
  std::string bytes;
  bool operator==(const StoredPayload&) const = default;
};

// Codec 1: one zstd frame that states its content size, then a zstd skippable frame (50 2a 4d 18, 08 00 00
// 00) with the first 8 bytes of SHA-256 over that first frame.
namespace payload {

constexpr std::size_t bytes_max = std::size_t{64} << 20;  // of one payload, unpacked
constexpr std::size_t salt_bytes = 32;

// With a fresh salt. Compresses when that makes it smaller. Thread-safe.
StoredPayload pack(std::string slot, std::string_view redacted);

// The redacted bytes. Code::invalid: unknown codec, encrypted, not exactly one sealed frame with its size;
// Code::limit: more than bytes_max. Never allocates more than the frame states, and never states more than
// bytes_max.
base::Result<std::string> unpack(const StoredPayload& stored);

// `salt` has salt_bytes.
Commitment commit(std::string slot, std::string_view salt, std::string_view redacted);

}  // namespace payload
}  // namespace ledger
