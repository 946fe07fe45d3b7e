#include "ledger/sealer.hpp"

#include <algorithm>
#include <utility>

#include "proxy/base/aead.hpp"
#include "proxy/base/check.hpp"
#include "proxy/base/file.hpp"

namespace ledger {
namespace {

namespace aead = base::aead;

constexpr std::size_t shared_from = 512;  // bytes: below, a reference saves little
constexpr std::size_t stored_max = 4096;
constexpr std::int64_t id_mask = (std::int64_t{1} << 48) - 1;

std::string bound(std::int64_t id, const std::string& mission) { return std::to_string(id) + "\n" + mission; }

std::int64_t fresh_id() {
  const std::string bytes = base::random_bytes(8);
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(number & id_mask));
}

}  // namespace

base::KeyFile payloads_key_file(const std::string& folder) {
  return {folder + "/keys", "payloads.key", "the payloads' key"};
}

base::Result<std::string> unwrap(const Cipher& cipher, std::string_view wrapping_key) {
  const std::string_view wrapped = cipher.wrapped;
  if (wrapped.size() == aead::nonce_bytes + aead::key_bytes + aead::tag_bytes)
    if (auto key = aead::open(wrapping_key, wrapped.substr(0, aead::nonce_bytes),
                              bound(cipher.id, cipher.mission), wrapped.substr(aead::nonce_bytes)))
      return std::move(*key);
  return base::Error(base::Code::invalid,
                     "key " + std::to_string(cipher.id) + " was not wrapped with the payloads' key");
}

const Sealer::Key& Sealer::key_of(const std::string& mission) {
  const auto found = keys_.find(mission);
  if (found != keys_.end()) return found->second;
  return keys_.emplace(mission, Key{fresh_id(), base::random_bytes(aead::key_bytes)}).first->second;
}

SealedPayload Sealer::seal(const std::string& mission, std::string slot, std::string_view redacted) {
  const Key& key = key_of(mission);
  SealedPayload sealed;
  std::string salt = payload::fresh_salt();
  sealed.commitment = payload::commit(slot, salt, redacted);
  // Of no mission they are erased one by one, and none must hold what another needs.
  if (redacted.size() >= shared_from && !mission.empty()) {
    sealed.content = base::sha256(redacted);
    if (const auto held = stored_.find({mission, *sealed.content}); held != stored_.end()) {
      sealed.stored = {std::move(slot), std::move(salt), 0, key.id, held->second, {}};
      return sealed;
    }
  }
  sealed.stored = payload::pack(std::move(slot), std::move(salt), redacted, key.bytes);
  sealed.stored.key = key.id;
  return sealed;
}

Cipher Sealer::cipher(const std::string& mission) const {
  const auto found = keys_.find(mission);
  CHECK(found != keys_.end());
  const std::string nonce = base::random_bytes(aead::nonce_bytes);
  return {found->second.id, mission,
          nonce + aead::seal(wrapping_key_, nonce, bound(found->second.id, mission), found->second.bytes)};
}

void Sealer::remember(const std::string& mission, const base::Digest& content, std::int64_t id) {
  const auto [at, added] = stored_.emplace(Content{mission, content}, id);
  if (!added) return;
  oldest_.push_back(at->first);
  if (oldest_.size() <= stored_max) return;
  stored_.erase(oldest_.front());
  oldest_.pop_front();
}

void Sealer::forget() {
  stored_.clear();
  oldest_.clear();
}

}  // namespace ledger
