#include "ledger/payload.hpp"

#include <set>

#include "proxy/base/file.hpp"
#include "tests/catch.hpp"

using ledger::StoredPayload;
namespace payload = ledger::payload;

namespace {

const std::string key(32, 'k');

StoredPayload packed(std::string_view bytes) { return payload::pack("a", payload::fresh_salt(), bytes, key); }

}  // namespace

TEST_CASE("a payload comes back as it was, and only with its key", "[payload]") {
  for (const std::size_t size : {0u, 1u, 511u, 1023u, 1024u, 5000u, 300000u}) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * i % 251);
    const StoredPayload stored = packed(bytes);
    CHECK(stored.salt.size() == 32);
    CHECK(stored.bytes.size() <= bytes.size() + 16);
    const auto got = payload::unpack(stored, size, key);
    REQUIRE(got.has_value());
    CHECK(*got == bytes);
    CHECK_FALSE(payload::unpack(stored, size, std::string(32, 'j')).has_value());
    CHECK_FALSE(payload::unpack(stored, size + 1, key).has_value());
    if (size > 0) CHECK_FALSE(payload::unpack(stored, size - 1, key).has_value());
  }
}

TEST_CASE("nothing of a payload can be read in what is stored", "[payload]") {
  const StoredPayload stored = packed(std::string(200, 'x') + "the secret words");
  CHECK(stored.bytes.find("xxxx") == std::string::npos);
  CHECK(stored.bytes.find("secret") == std::string::npos);
}

TEST_CASE("compression is used only where it makes smaller", "[payload]") {
  CHECK(packed(std::string(100, 'x')).codec == 0);
  CHECK(packed(std::string(10000, 'x')).codec == 1);
  CHECK(packed(base::random_bytes(10000)).codec == 0);
}

TEST_CASE("each payload has a salt of its own", "[payload]") {
  std::set<std::string> salts;
  for (int i = 0; i < 1000; ++i) salts.insert(payload::fresh_salt());
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

TEST_CASE("a payload of an unknown codec, cut or lengthened, or without bytes of its own is refused",
          "[payload]") {
  const StoredPayload good = packed(std::string(4000, 'x'));
  REQUIRE(good.codec == 1);
  const auto refused = [](const StoredPayload& changed) {
    return !payload::unpack(changed, 4000, key).has_value();
  };
  REQUIRE_FALSE(refused(good));
  for (const int codec : {0, 2, -1}) {
    StoredPayload changed = good;
    changed.codec = codec;
    CHECK(refused(changed));
  }
  StoredPayload changed = good;
  changed.same = 1;
  CHECK(refused(changed));
  changed = good;
  changed.bytes += '\0';
  CHECK(refused(changed));
  for (std::size_t cut = 0; cut < good.bytes.size(); ++cut) {
    changed = good;
    changed.bytes.resize(cut);
    CHECK(refused(changed));
  }
}

TEST_CASE("a payload that claims more than 64 MiB is refused before anything is made of it", "[payload]") {
  const auto got = payload::unpack(packed("x"), payload::bytes_max + 1, key);
  REQUIRE_FALSE(got.has_value());
  CHECK(got.error().code() == base::Code::limit);
}

TEST_CASE("every flipped bit of a payload or its salt is refused", "[payload]") {
  std::string bytes;
  for (int i = 0; i < 400; ++i) bytes += "line " + std::to_string(i * 7919 % 1000) + " of the file\n";
  const StoredPayload good = packed(bytes);
  REQUIRE(good.codec == 1);
  for (std::size_t i = 0; i < good.salt.size() + good.bytes.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      StoredPayload changed = good;
      char& byte = i < good.salt.size() ? changed.salt[i] : changed.bytes[i - good.salt.size()];
      byte = static_cast<char>(byte ^ (1 << bit));
      INFO("byte " << i << " bit " << bit);
      CHECK_FALSE(payload::unpack(changed, bytes.size(), key).has_value());
    }
}
