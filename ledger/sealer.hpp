#pragma once
// The keys that payloads are sealed with: one for each mission and writer, wrapped by the key in
// keys/payloads.key (FORMAT.md, «Payloads»). Used by one thread at a time.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "ledger/payload.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/key_file.hpp"
#include "proxy/base/sha256.hpp"

namespace ledger {

base::KeyFile payloads_key_file(const std::string& folder);

// A row of `cipher`.
struct Cipher {
  std::int64_t id = 0;
  std::string mission;
  std::string wrapped;
  bool operator==(const Cipher&) const = default;
};

// The 32 bytes in the row; Code::invalid: it was not wrapped with this key.
base::Result<std::string> unwrap(const Cipher& cipher, std::string_view wrapping_key);

// A payload made ready for its row: what its record commits to, and what is stored.
struct SealedPayload {
  Commitment commitment;
  StoredPayload stored;
  std::optional<base::Digest> content;  // of the redacted bytes: what it is found again by
};

class Sealer {
 public:
  explicit Sealer(std::string wrapping_key) : wrapping_key_(std::move(wrapping_key)) {}

  // With the mission's key (empty: of none), which is drawn at its first use. Bytes that were stored before
  // in the mission are not stored again.
  SealedPayload seal(const std::string& mission, std::string slot, std::string_view redacted);
  // The row that a payload sealed here needs.
  Cipher cipher(const std::string& mission) const;
  // The payload is committed, under this id: others may refer to its bytes.
  void remember(const std::string& mission, const base::Digest& content, std::int64_t id);
  // Rows were removed: nothing refers to earlier bytes any more.
  void forget();

 private:
  struct Key {
    std::int64_t id = 0;
    std::string bytes;
  };
  const Key& key_of(const std::string& mission);
  using Content = std::pair<std::string, base::Digest>;  // mission and digest
  std::string wrapping_key_;
  std::map<std::string, Key> keys_;  // by mission
  std::map<Content, std::int64_t> stored_;
  std::deque<Content> oldest_;  // of stored_
};

}  // namespace ledger
