#pragma once
// A signed head: C2SP tlog-checkpoint in a C2SP signed note (FORMAT.md, «Checkpoints»). Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/base/ed25519.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/sha256.hpp"

namespace ledger {

struct Checkpoint {
  std::string ledger;      // id, 32 hex digits
  std::uint64_t size = 0;  // records 0 to size - 1
  base::Digest root{};
  bool operator==(const Checkpoint&) const = default;
};

inline constexpr std::size_t note_bytes_max = 1024;

// The whole note.
std::string sign(const Checkpoint& checkpoint, const base::SigningKey& key);

struct SignedCheckpoint {
  Checkpoint checkpoint;
  std::string signed_text;  // its three lines
  std::uint32_t key_id = 0;
  base::Signature signature{};
};
// Code::invalid: not exactly a note as sign() makes them. The signature is not checked.
base::Result<SignedCheckpoint> read_note(std::string_view note);
bool is_signed_by(const SignedCheckpoint& note, const base::PublicKey& key);

// What the key before signs when another takes its place; keys as 64 hex digits.
std::string rotation_text(const std::string& ledger, const std::string& before, const std::string& after);

// A C2SP verifier key: `ORIGIN+KEYID+BASE64`.
std::string verifier_key(const std::string& ledger, const base::PublicKey& key);
struct VerifierKey {
  std::string ledger;
  base::PublicKey key{};
  bool operator==(const VerifierKey&) const = default;
};
// nullopt: not exactly what verifier_key() makes.
std::optional<VerifierKey> read_verifier_key(std::string_view text);

}  // namespace ledger
