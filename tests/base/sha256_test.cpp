#include "proxy/base/sha256.hpp"

#include "tests/catch.hpp"

namespace {

// FIPS 180-4, the examples of NIST.
constexpr const char* of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr const char* of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST_CASE("digests are those of FIPS 180-4, in one part or in many") {
  CHECK(base::hex(base::sha256("")) == of_nothing);
  CHECK(base::hex(base::sha256("abc")) == of_abc);
  CHECK(base::sha256({"a", "", "bc"}) == base::sha256("abc"));
  base::Sha256 stream;
  stream.update("ab");
  stream.update("c");
  CHECK(base::hex(stream.finish()) == of_abc);
}

TEST_CASE("hexadecimal text is read as it is written, and nothing else is") {
  CHECK(base::hex(std::string_view("\x00\xff\x10", 3)) == "00ff10");
  CHECK(base::from_hex("00fF10") == std::nullopt);
  CHECK(base::from_hex("0") == std::nullopt);
  CHECK(base::from_hex("0g") == std::nullopt);
  CHECK(base::from_hex("") == "");
  CHECK(base::digest_from_hex(of_abc) == base::sha256("abc"));
  CHECK_FALSE(base::digest_from_hex(std::string(of_abc) + "00").has_value());
  CHECK_FALSE(base::digest_from_hex("").has_value());
}

}  // namespace
