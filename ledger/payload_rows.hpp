#pragma once
// Payloads as they stand in the database, and the way from a row back to the redacted bytes: key, seal,
// coding, commitment (FORMAT.md, «Payloads»). The database must outlive it; one thread at a time.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "ledger/database.hpp"
#include "ledger/payload.hpp"
#include "proxy/base/error.hpp"

namespace ledger {

// `id, slot, salt, codec, key, same, bytes` of a row.
StoredPayload stored_payload(const Statement& row);

class PayloadRows {
 public:
  // The wrapping key, or why there is none: open() says that then.
  PayloadRows(const Database& database, base::Result<std::string> wrapping_key)
      : database_(database), wrapping_key_(std::move(wrapping_key)) {}

  base::Result<std::optional<StoredPayload>> read(std::int64_t id);
  // The bytes that the record of this mission commits to. Code::invalid: they are not what is stored, and
  // why; Code::unavailable: the wrapping key cannot be read; Code::io.
  base::Result<std::string> open(const StoredPayload& stored, std::int64_t id, const Commitment& commitment,
                                 const std::string& mission);

  // Of `cipher.id`, 32 bytes; errors as of open().
  base::Result<std::string> key_bytes(std::int64_t id);

  struct Key {
    std::string mission, bytes;
  };
  // That were needed so far, by `cipher.id`.
  const std::map<std::int64_t, Key>& keys() const { return keys_; }

 private:
  base::Result<const Key*> key(std::int64_t id);
  base::Result<StoredPayload> holder(const StoredPayload& stored, std::int64_t id);
  const Database& database_;
  base::Result<std::string> wrapping_key_;
  std::map<std::int64_t, Key> keys_;
  std::optional<Statement> rows_, ciphers_;
};

}  // namespace ledger
