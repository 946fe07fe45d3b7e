#include "ledger/signer.hpp"

#include <utility>

#include "proxy/base/text.hpp"

namespace ledger {

Signer::Signer(const std::string& folder)
    : file_(folder + "/keys", "ledger.key", "the ledger's key"), next_(file_.named("ledger.key.next")) {}

base::Result<std::string> Signer::create() {
  const auto seed = file_.load_or_create(base::SigningKey::generate().seed());
  if (!seed) return seed.error();
  auto key = base::SigningKey::from_seed(*seed);
  if (!key) return key.error();
  key_.emplace(std::move(*key));
  return base::public_hex(key_->public_key());
}

base::Result<void> Signer::open(const std::string& public_key) {
  if (const auto seed = file_.load(); !seed) return seed.error();
  const auto next = load(next_, public_key);
  if (!next && next.error().code() == base::Code::not_found) return {};
  if (!next) return next.error();
  return *next ? next_.rename_to(file_) : next_.remove();
}

// True: it is that key, and key_ now. False: another.
base::Result<bool> Signer::load(const base::KeyFile& file, const std::string& public_key) {
  const auto seed = file.load();
  if (!seed) return seed.error();
  auto key = base::SigningKey::from_seed(*seed);
  if (!key) return key.error();
  if (base::public_hex(key->public_key()) != public_key) return false;
  key_.emplace(std::move(*key));
  return true;
}

base::Result<const base::SigningKey*> Signer::key(const std::string& public_key) {
  if (key_ && base::public_hex(key_->public_key()) == public_key) return &*key_;
  const auto there = load(file_, public_key);
  if (there && *there) return &*key_;
  if (const auto next = load(next_, public_key); next && *next) return &*key_;
  if (!there) return there.error();
  return base::Error(base::Code::conflict, "the ledger's key " + base::quoted(file_.path()) +
                                               " is not the one that stands on record");
}

base::Result<base::SigningKey> Signer::begin_rotation() {
  base::SigningKey key = base::SigningKey::generate();
  if (auto written = next_.replace(key.seed()); !written) return written.error();
  return key;
}

base::Result<void> Signer::commit_rotation() { return next_.rename_to(file_); }

}  // namespace ledger
