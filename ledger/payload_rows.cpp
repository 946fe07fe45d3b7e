#include "ledger/payload_rows.hpp"

#include <utility>

#include "ledger/sealer.hpp"

namespace ledger {
namespace {

base::Error broken(const char* why) { return {base::Code::invalid, std::string("payload ") + why}; }

base::Result<void> prepare(const Database& database, std::optional<Statement>& statement,
                           std::string_view sql) {
  if (statement) return {};
  auto made = database.prepare(sql);
  if (!made) return made.error();
  statement.emplace(std::move(*made));
  return {};
}

}  // namespace

StoredPayload stored_payload(const Statement& row) {
  StoredPayload stored;
  stored.slot = row.text(1);
  stored.salt = row.blob(2);
  const bool lends = !row.is_null(5);
  const std::int64_t codec = row.integer(3);
  // Any other codec, and bytes beside a reference, are refused by whoever opens it.
  stored.codec = (codec == 0 || codec == 1) && !(lends && !row.is_null(6)) ? static_cast<int>(codec) : -1;
  stored.key = row.integer(4);
  if (lends) stored.same = row.integer(5);
  stored.bytes = row.blob(6);
  return stored;
}

base::Result<std::optional<StoredPayload>> PayloadRows::read(std::int64_t id) {
  if (auto ready = prepare(database_, rows_,
                           "SELECT id, slot, salt, codec, key, same, bytes FROM payload WHERE id = ?");
      !ready)
    return ready.error();
  rows_->bind_integer(1, id);
  const auto row = rows_->step();
  if (!row) return row.error();
  std::optional<StoredPayload> stored;
  if (*row) stored = stored_payload(*rows_);
  rows_->reset();
  return stored;
}

base::Result<const PayloadRows::Key*> PayloadRows::key(std::int64_t id) {
  if (const auto known = keys_.find(id); known != keys_.end()) return &known->second;
  if (!wrapping_key_) return base::Error(base::Code::unavailable, wrapping_key_.error().message());
  if (auto ready = prepare(database_, ciphers_, "SELECT mission, wrapped FROM cipher WHERE id = ?"); !ready)
    return ready.error();
  ciphers_->bind_integer(1, id);
  const auto row = ciphers_->step();
  if (!row) return row.error();
  const Cipher cipher{id, *row ? std::string(ciphers_->text(0)) : "",
                      *row ? std::string(ciphers_->blob(1)) : ""};
  ciphers_->reset();
  if (!*row) return broken("is sealed with a key that is not there");
  auto bytes = unwrap(cipher, *wrapping_key_);
  if (!bytes) return broken("is sealed with a key that does not open");
  return &keys_.emplace(id, Key{cipher.mission, std::move(*bytes)}).first->second;
}

base::Result<std::string> PayloadRows::key_bytes(std::int64_t id) {
  const auto found = key(id);
  if (!found) return found.error();
  return (*found)->bytes;
}

// The row whose bytes it has.
base::Result<StoredPayload> PayloadRows::holder(const StoredPayload& stored, std::int64_t id) {
  if (!stored.same) return stored;
  if (*stored.same >= id || stored.codec != 0 || !stored.bytes.empty())
    return broken("has a wrong reference, codec or bytes");
  auto held = read(*stored.same);
  if (!held) return held.error();
  if (!*held || (*held)->same || (*held)->key != stored.key)
    return broken("refers to bytes that are not there");
  return std::move(**held);
}

base::Result<std::string> PayloadRows::open(const StoredPayload& stored, std::int64_t id,
                                            const Commitment& commitment, const std::string& mission) {
  if (stored.slot != commitment.slot || stored.salt.size() != payload::salt_bytes)
    return broken("has a wrong slot or salt");
  const auto sealed_with = key(stored.key);
  if (!sealed_with) return sealed_with.error();
  if ((*sealed_with)->mission != mission) return broken("is sealed with the key of another mission");
  const auto held = holder(stored, id);
  if (!held) return held.error();
  auto bytes = payload::unpack(*held, commitment.size, (*sealed_with)->bytes);
  if (!bytes) return bytes.error();
  if (payload::commit(commitment.slot, stored.salt, *bytes) != commitment)
    return broken("does not match its commitment");
  return bytes;
}

}  // namespace ledger
