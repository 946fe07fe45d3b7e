#include "ledger/payload.hpp"

#include <set>

#include "tests/catch.hpp"

using ledger::StoredPayload;
namespace payload = ledger::payload;

TEST_CASE("a payload comes back as it was", "[payload]") {
  for (const std::size_t size : {0u, 1u, 511u, 1023u, 1024u, 5000u, 300000u}) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * i % 251);
    const StoredPayload stored = payload::pack("result", bytes);
    CHECK(stored.slot == "result");
    CHECK(stored.salt.size() == 32);
    CHECK(stored.bytes.size() <= bytes.size());
    REQUIRE(payload::unpack(stored).has_value());
    CHECK(*payload::unpack(stored) == bytes);
  }
}

TEST_CASE("compression is used only where it makes smaller", "[payload]") {
  CHECK(payload::pack("a", std::string(100, 'x')).codec == 0);
  CHECK(payload::pack("a", std::string(10000, 'x')).codec == 1);
  std::string noise;
  std::uint64_t state = 88172645463325252u;
  for (int i = 0; i < 10000; ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    noise += static_cast<char>(state);
  }
  CHECK(payload::pack("a", noise).codec == 0);
}

TEST_CASE("each payload has a salt of its own", "[payload]") {
  std::set<std::string> salts;
  for (int i = 0; i < 1000; ++i) salts.insert(payload::pack("a", "b").salt);
  CHECK(salts.size() == 1000);
}

TEST_CASE("the commitment is the one of FORMAT.md", "[payload]") {
  std::string salt;
  for (int i = 0; i < 32; ++i) salt += static_cast<char>(i);
  const ledger::Commitment made = payload::commit("arguments", salt, R"({"path":"a.txt"})");
  CHECK(base::hex(made.digest) == "3df88e70962259f665789aae55422b14a067f31165d9e1c55706d5b762a4886a");
  CHECK(made.size == 16);
  CHECK(made.slot == "arguments");
}

TEST_CASE("what is not exactly one frame of a known codec is refused", "[payload]") {
  const StoredPayload good = payload::pack("a", std::string(4000, 'x'));
  REQUIRE(good.codec == 1);
  const auto refused = [](StoredPayload changed) { return !payload::unpack(changed).has_value(); };
  StoredPayload changed = good;
  changed.codec = 2;
  CHECK(refused(changed));
  changed = good;
  changed.key_id = 1;
  CHECK(refused(changed));
  changed = good;
  changed.bytes += '\0';
  CHECK(refused(changed));
  changed = good;
  changed.bytes += good.bytes;
  CHECK(refused(changed));
  for (std::size_t cut = 0; cut < good.bytes.size(); ++cut) {
    changed = good;
    changed.bytes.resize(cut);
    CHECK(refused(changed));
  }
  // A frame that states 4 GiB: magic, descriptor (8-byte size, single segment), size; sealed as FORMAT.md
  // says.
  changed.bytes = std::string("\x28\xb5\x2f\xfd\xe0", 5) + std::string("\x00\x00\x00\x00\x01\x00\x00\x00", 8);
  const base::Digest digest = base::sha256(changed.bytes);
  changed.bytes += std::string("\x50\x2a\x4d\x18\x08\x00\x00\x00", 8);
  changed.bytes += base::bytes_of(digest).substr(0, 8);
  REQUIRE(refused(changed));
  CHECK(payload::unpack(changed).error().code() == base::Code::limit);
}

TEST_CASE("every flipped bit of a compressed payload is refused", "[payload]") {
  std::string bytes;
  for (int i = 0; i < 400; ++i) bytes += "line " + std::to_string(i * 7919 % 1000) + " of the file\n";
  const StoredPayload good = payload::pack("a", bytes);
  REQUIRE(good.codec == 1);
  for (std::size_t i = 0; i < good.bytes.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      StoredPayload changed = good;
      changed.bytes[i] = static_cast<char>(changed.bytes[i] ^ (1 << bit));
      const auto got = payload::unpack(changed);
      INFO("byte " << i << " bit " << bit);
      CHECK_FALSE(got.has_value());
    }
}
