#include "proxy/base/ed25519.hpp"

#include "proxy/base/sha256.hpp"
#include "tests/catch.hpp"

namespace {

// RFC 8032, 7.1, test 1: the empty message.
constexpr const char* seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
constexpr const char* public_key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
constexpr const char* signature =
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0"
    "595"
    "bbe24655141438e7a100b";

TEST_CASE("signatures are those of RFC 8032") {
  const auto key = base::SigningKey::from_seed(base::from_hex(seed).value());
  REQUIRE(key.has_value());
  CHECK(base::hex(key->public_key()) == public_key);
  CHECK(key->sign_hex("") == signature);
  CHECK(base::verify_hex_signature(public_key, "", signature));
  CHECK_FALSE(base::verify_hex_signature(public_key, "x", signature));
}

TEST_CASE("what is no key or no signature verifies nothing") {
  const std::string key = public_key;
  const std::string good = signature;
  CHECK_FALSE(base::verify_hex_signature("", "", good));
  CHECK_FALSE(base::verify_hex_signature(key.substr(2), "", good));
  CHECK_FALSE(base::verify_hex_signature(key, "", ""));
  CHECK_FALSE(base::verify_hex_signature(key, "", good.substr(2)));
  CHECK_FALSE(base::verify_hex_signature(key, "", good + "00"));
  CHECK_FALSE(base::verify_hex_signature(key, "", "zz" + good.substr(2)));
}

TEST_CASE("a key of any length but 32 bytes is refused") {
  CHECK_FALSE(base::SigningKey::from_seed(std::string(31, 'a')).has_value());
  CHECK_FALSE(base::SigningKey::from_seed(std::string(33, 'a')).has_value());
}

}  // namespace
