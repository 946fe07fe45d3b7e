#include "ledger/checkpoint.hpp"

#include "tests/catch.hpp"

using ledger::Checkpoint;

namespace {

const base::SigningKey key = base::SigningKey::from_seed(std::string(32, '\x07')).value();
const Checkpoint checkpoint{"00112233445566778899aabbccddeeff", 8, base::sha256("a root")};

}  // namespace

TEST_CASE("a checkpoint is the signed note of FORMAT.md", "[checkpoint]") {
  const std::string note = ledger::sign(checkpoint, key);
  CHECK(
      note ==
      "callgate/ledger/00112233445566778899aabbccddeeff\n8\nULMS9cvHFnWfViDXOnzBFBVwc0n0Gwzgt897eAfsMdo=\n\n"
      "\u2014 callgate/ledger/00112233445566778899aabbccddeeff "
      "d2Zi9c5lLPKQvjfdJiktBZzdfuTalvn80q7MyyJewAyNiTriaj9maIZhsiIkUWjse2z4fw8xvmxglRcQ13CYk4RtNQU=\n");
}

TEST_CASE("a note is read as what was signed, under that key alone", "[checkpoint]") {
  const auto read = ledger::read_note(ledger::sign(checkpoint, key));
  REQUIRE(read.has_value());
  CHECK(read->checkpoint == checkpoint);
  CHECK(ledger::is_signed_by(*read, key.public_key()));
  CHECK_FALSE(ledger::is_signed_by(*read, base::SigningKey::generate().public_key()));
}

TEST_CASE("a note with any byte changed, removed or added is refused or not signed", "[checkpoint]") {
  const std::string note = ledger::sign(checkpoint, key);
  const auto good = [](const std::string& text) {
    const auto read = ledger::read_note(text);
    return read && ledger::is_signed_by(*read, key.public_key());
  };
  REQUIRE(good(note));
  for (std::size_t i = 0; i < note.size(); ++i) {
    INFO(i);
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = note;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      CHECK_FALSE(good(changed));
    }
    CHECK_FALSE(good(note.substr(0, i)));
    CHECK_FALSE(good(note.substr(0, i) + note.substr(i + 1)));
    CHECK_FALSE(good(note.substr(0, i) + "0" + note.substr(i)));
  }
  CHECK_FALSE(good(note + "\n"));
  CHECK_FALSE(good(note + note));
}

TEST_CASE("a verifier key is read back, and nothing like it is", "[checkpoint]") {
  const std::string text = ledger::verifier_key(checkpoint.ledger, key.public_key());
  CHECK(text ==
        "callgate/ledger/"
        "00112233445566778899aabbccddeeff+776662f5+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs");
  const auto read = ledger::read_verifier_key(text);
  REQUIRE(read);
  CHECK(read->ledger == checkpoint.ledger);
  CHECK(read->key == key.public_key());
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    CHECK_FALSE(ledger::read_verifier_key(changed));
    CHECK_FALSE(ledger::read_verifier_key(text.substr(0, i)));
  }
  CHECK_FALSE(ledger::read_verifier_key(text + " "));
}
