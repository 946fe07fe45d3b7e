#include "ledger/doorbell.hpp"

#include <poll.h>

#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

bool rings(const ledger::Doorbell& bell, int milliseconds) {
  pollfd wait{bell.descriptor(), POLLIN, 0};
  return ::poll(&wait, 1, milliseconds) == 1;
}

TEST_CASE("the doorbell rings when a ledger is made, at each append, and not otherwise") {
  const scratch::Folder folder;
  CHECK_FALSE(ledger::Doorbell::open(folder.place()).has_value());
  std::filesystem::create_directory(folder.place().folder);
  std::filesystem::permissions(folder.place().folder, std::filesystem::perms::owner_all);
  auto bell = ledger::Doorbell::open(folder.place()).value();
  CHECK_FALSE(rings(bell, 0));
  const auto writer = ledger::Writer::open(folder.place(), scratch::options()).value();
  CHECK(rings(bell, 2000));
  bell.drain();
  CHECK_FALSE(rings(bell, 0));
  for (int i = 0; i < 3; ++i) {
    REQUIRE(writer->append_now(scratch::one(scratch::decision("m", "ALLOW"))).has_value());
    CHECK(rings(bell, 2000));
    bell.drain();
    CHECK_FALSE(rings(bell, 0));
  }
}

}  // namespace
