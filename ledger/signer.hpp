#pragma once
// The key that signs a ledger's checkpoints: keys/ledger.key (FORMAT.md, «Checkpoints»). Used by one thread
// at a time.

#include <optional>
#include <string>

#include "proxy/base/ed25519.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/key_file.hpp"

namespace ledger {

class Signer {
 public:
  explicit Signer(const std::string& folder);

  // Of a new ledger: makes the key where there is none. The public key, 64 hex digits.
  base::Result<std::string> create();
  // Whether the key can be read. Under the ledger's lock: finishes a rotation that is on record and was cut
  // off, drops one that is not.
  base::Result<void> open(const std::string& public_key);
  // The key whose public half is this (64 hex digits): another process may have put it in place since.
  // Code::conflict: it is not the one that is there.
  base::Result<const base::SigningKey*> key(const std::string& public_key);

  // A rotation: begin() writes the next key beside the present one, commit() puts it in its place once it is
  // on record, so that the present one is gone.
  base::Result<base::SigningKey> begin_rotation();
  base::Result<void> commit_rotation();

 private:
  base::Result<bool> load(const base::KeyFile& file, const std::string& public_key);
  base::KeyFile file_, next_;
  std::optional<base::SigningKey> key_;
};

}  // namespace ledger
