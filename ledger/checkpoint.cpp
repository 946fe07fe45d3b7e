#include "ledger/checkpoint.hpp"

#include <algorithm>
#include <charconv>

#include "ledger/body.hpp"
#include "ledger/profile.hpp"
#include "proxy/base/text.hpp"

namespace ledger {
namespace {

constexpr std::string_view origin_prefix = "callgate/ledger/";
constexpr std::string_view dash = "\u2014 ";
constexpr char ed25519 = '\x01';  // the signature type of C2SP signed notes

std::string origin_of(const std::string& ledger) { return std::string(origin_prefix) + ledger; }

std::string text_of(const Checkpoint& checkpoint) {
  return origin_of(checkpoint.ledger) + "\n" + std::to_string(checkpoint.size) + "\n" +
         base::base64(base::bytes_of(checkpoint.root)) + "\n";
}

std::string_view view(const base::PublicKey& key) {
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

std::string key_id_of(const std::string& origin, const base::PublicKey& key) {
  const base::Digest digest = base::sha256({origin, std::string_view("\n\x01", 2), view(key)});
  return std::string(base::bytes_of(digest).substr(0, 4));
}

std::uint32_t number_of(std::string_view bytes) {
  std::uint32_t number = 0;
  for (const char byte : bytes.substr(0, 4)) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

std::string note_of(const Checkpoint& checkpoint, std::string_view key_id_and_signature) {
  return text_of(checkpoint) + "\n" + std::string(dash) + origin_of(checkpoint.ledger) + " " +
         base::base64(key_id_and_signature) + "\n";
}

// The line, without its end, which goes too; empty: there is none.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

bool read_integer(std::string_view text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::string sign(const Checkpoint& checkpoint, const base::SigningKey& key) {
  const base::Signature signature = key.sign(text_of(checkpoint));
  std::string bytes = key_id_of(origin_of(checkpoint.ledger), key.public_key());
  bytes.append(reinterpret_cast<const char*>(signature.data()), signature.size());
  return note_of(checkpoint, bytes);
}

base::Result<SignedCheckpoint> read_note(std::string_view note) {
  const auto invalid = [](const char* why) {
    return base::Error(base::Code::invalid, std::string("not a checkpoint: ") + why);
  };
  if (note.size() > note_bytes_max) return invalid("too long");
  SignedCheckpoint read;
  std::string_view rest = note;
  const std::string_view origin = take_line(rest);
  if (!origin.starts_with(origin_prefix)) return invalid("of another origin");
  read.checkpoint.ledger = origin.substr(origin_prefix.size());
  if (!profile::hex_digits(read.checkpoint.ledger, 32)) return invalid("of another origin");
  if (!read_integer(take_line(rest), read.checkpoint.size) || read.checkpoint.size == 0 ||
      read.checkpoint.size > integer_max + 1)
    return invalid("without a size");
  const auto root = base::from_base64(take_line(rest));
  if (!root || root->size() != read.checkpoint.root.size()) return invalid("without a root");
  std::copy(root->begin(), root->end(), read.checkpoint.root.begin());
  read.signed_text = text_of(read.checkpoint);
  take_line(rest);
  const std::string_view line = take_line(rest);
  const auto bytes = base::from_base64(line.substr(std::min(line.rfind(' ') + 1, line.size())));
  if (!bytes || bytes->size() != 4 + read.signature.size()) return invalid("without a signature");
  read.key_id = number_of(*bytes);
  std::copy(bytes->begin() + 4, bytes->end(), read.signature.begin());
  // Only these bytes say this.
  if (note_of(read.checkpoint, *bytes) != note) return invalid("other lines than a checkpoint has");
  return read;
}

bool is_signed_by(const SignedCheckpoint& note, const base::PublicKey& key) {
  return note.key_id == number_of(key_id_of(origin_of(note.checkpoint.ledger), key)) &&
         base::verify_signature(key, note.signed_text, note.signature);
}

std::string rotation_text(const std::string& ledger, const std::string& before, const std::string& after) {
  return "callgate key 1\n" + ledger + "\n" + before + "\n" + after + "\n";
}

std::string verifier_key(const std::string& ledger, const base::PublicKey& key) {
  const std::string origin = origin_of(ledger);
  return origin + "+" + base::hex(key_id_of(origin, key)) + "+" +
         base::base64(std::string(1, ed25519) + std::string(view(key)));
}

std::optional<VerifierKey> read_verifier_key(std::string_view text) {
  constexpr std::size_t id_at = origin_prefix.size();
  constexpr std::size_t key_at = id_at + 32 + 1 + 8 + 1;
  if (text.size() < key_at || !text.starts_with(origin_prefix)) return std::nullopt;
  VerifierKey read;
  read.ledger = text.substr(id_at, 32);
  const auto bytes = base::from_base64(text.substr(key_at));
  if (!profile::hex_digits(read.ledger, 32) || !bytes || bytes->size() != 1 + read.key.size())
    return std::nullopt;
  std::copy(bytes->begin() + 1, bytes->end(), read.key.begin());
  if (verifier_key(read.ledger, read.key) != text) return std::nullopt;
  return read;
}

}  // namespace ledger
