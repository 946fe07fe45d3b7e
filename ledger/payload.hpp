#pragma once
// What belongs to a record but stands apart from it, so that it can be erased while the chain still verifies:
// arguments, results, texts. The record commits to the redacted bytes with a salt (record.hpp); the payload
// row keeps the salt and the bytes, compressed where that helps, then sealed (FORMAT.md, «Payloads»).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ledger/record.hpp"
#include "proxy/base/error.hpp"

namespace ledger {

struct StoredPayload {
  std::string slot;
  std::string salt;                  // 32 random bytes
  int codec = 0;                     // 0: the bytes themselves; 1: one zlib stream
  std::int64_t key = 0;              // of the key that seals it: cipher.id
  std::optional<std::int64_t> same;  // id of the payload row that holds these bytes; then `bytes` are none
  std::string bytes;
  bool operator==(const StoredPayload&) const = default;
};

namespace payload {

constexpr std::size_t bytes_max = std::size_t{64} << 20;  // of one payload, unpacked
constexpr std::size_t salt_bytes = 32;

std::string fresh_salt();

// Compressed where that makes it smaller, sealed with `key` (32 bytes). Thread-safe.
StoredPayload pack(std::string slot, std::string salt, std::string_view redacted, std::string_view key);

// The redacted bytes, of which there are `size`, of a row that holds its own. Code::invalid: unknown codec,
// not sealed with this key, or not that many bytes; Code::limit: more than bytes_max. Allocates no more than
// `size`.
base::Result<std::string> unpack(const StoredPayload& stored, std::uint64_t size, std::string_view key);

// `salt` has salt_bytes.
Commitment commit(std::string slot, std::string_view salt, std::string_view redacted);

}  // namespace payload
}  // namespace ledger
