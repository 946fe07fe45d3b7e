#include "ledger/mark.hpp"

#include <sys/stat.h>

#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

TEST_CASE(
    "the mark of the worked example has the bytes of FORMAT.md, and every bit flipped or cut is refused") {
  const ledger::Reference head{
      7, *base::digest_from_hex("4f116ac4787339cda75bc8acc7ac64d6fd95a13ca4bc93eebe5432cc70da8682")};
  const std::string bytes = ledger::encode_mark(head);
  CHECK(base::hex(bytes) ==
        "63676d61726b31000000000000000007"
        "4f116ac4787339cda75bc8acc7ac64d6fd95a13ca4bc93eebe5432cc70da8682"
        "263b5a5b1135cd5167b65f2ad31895d4");
  CHECK(ledger::decode_mark(bytes).value() == head);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    if (ledger::decode_mark(flipped)) FAIL("bit " << bit);
  }
  for (std::size_t length = 0; length < bytes.size(); ++length)
    CHECK_FALSE(ledger::decode_mark(bytes.substr(0, length)).has_value());
  CHECK_FALSE(ledger::decode_mark(bytes + "x").has_value());
}

TEST_CASE("a mark is read as last written, and one that was removed or is a link is refused") {
  const scratch::Folder folder;
  const std::string path = folder.path() / "mark";
  CHECK(ledger::Mark::open(path).error().code() == base::Code::not_found);
  auto mark = ledger::Mark::create(path, {1, {}});
  REQUIRE(mark.has_value());
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  REQUIRE(mark->write({~std::uint64_t{0} >> 11, base::sha256("x")}).has_value());
  CHECK(ledger::Mark::open(path).value().read().value() ==
        ledger::Reference{~std::uint64_t{0} >> 11, base::sha256("x")});
  std::filesystem::rename(path, path + "2");
  std::filesystem::create_symlink(path + "2", path);
  CHECK(ledger::Mark::open(path).error().code() == base::Code::io);
  std::filesystem::remove(path + "2");
  CHECK_FALSE(mark->read().has_value());
}

}  // namespace
