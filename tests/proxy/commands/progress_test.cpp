#include "proxy/commands/progress.hpp"

#include "tests/catch.hpp"

namespace proxy::commands {
namespace {

TEST_CASE("progress says how much of how much, never more than all") {
  CHECK(progress_text("verifying", "records", 450'000, 1'000'000) ==
        "verifying: 45 % (450,000 of 1,000,000 records)");
  CHECK(progress_text("verifying", "records", 12, 10) == "verifying: 100 % (12 of 10 records)");
  CHECK(progress_text("verifying", "records", 7, 0) == "verifying: 7 records");
  CHECK(counted(999) == "999");
  CHECK(counted(1000) == "1,000");
}

}  // namespace
}  // namespace proxy::commands
