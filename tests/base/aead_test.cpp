#include "proxy/base/aead.hpp"

#include "proxy/base/sha256.hpp"
#include "tests/catch.hpp"

namespace aead = base::aead;

// RFC 8439, 2.8.2.
TEST_CASE("sealing gives what RFC 8439 has", "[aead]") {
  const std::string key = *base::from_hex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f");
  const std::string nonce = *base::from_hex("070000004041424344454647");
  const std::string beside = *base::from_hex("50515253c0c1c2c3c4c5c6c7");
  const std::string plain =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen "
      "would be it.";
  const std::string sealed = aead::seal(key, nonce, beside, plain);
  CHECK(base::hex(sealed).substr(0, 32) == "d31a8d34648e60db7b86afbc53ef7ec2");
  CHECK(base::hex(sealed).substr(plain.size() * 2) == "1ae10b594f09e26a7e902ecbd0600691");
  CHECK(aead::open(key, nonce, beside, sealed) == plain);
}

TEST_CASE("what was not sealed so does not open", "[aead]") {
  const std::string key(32, 'k'), nonce(12, 'n');
  const std::string sealed = aead::seal(key, nonce, "beside", "plain");
  CHECK(aead::open(key, nonce, "beside", sealed) == "plain");
  CHECK_FALSE(aead::open(std::string(32, 'x'), nonce, "beside", sealed));
  CHECK_FALSE(aead::open(key, std::string(12, 'x'), "beside", sealed));
  CHECK_FALSE(aead::open(key, nonce, "", sealed));
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    CHECK_FALSE(aead::open(key, nonce, "beside", changed));
    CHECK_FALSE(aead::open(key, nonce, "beside", sealed.substr(0, i)));
  }
  CHECK(aead::open(key, nonce, "", aead::seal(key, nonce, "", "")) == "");
}
