#include "proxy/commands/ledger_commands.hpp"
#include "tests/catch.hpp"

namespace proxy::commands {
namespace {

using namespace std::chrono_literals;

TEST_CASE("a record is listed when it fits every filter that is given, and each alone can refuse it") {
  ledger::Record record;
  record.mission = "m-1";
  record.server = "files";
  record.decision = "ASK";
  record.time = 5'000'000'000;
  CHECK(wanted({}, record));
  LedgerList fits;
  fits.mission = "m-1";
  fits.server = "files";
  fits.decision = "ASK";
  fits.since = base::WallTime(5s);
  CHECK(wanted(fits, record));
  LedgerList other = fits;
  other.mission = "m-2";
  CHECK_FALSE(wanted(other, record));
  other = fits;
  other.server = "file";
  CHECK_FALSE(wanted(other, record));
  other = fits;
  other.decision = "DENY";
  CHECK_FALSE(wanted(other, record));
  other = fits;
  other.since = base::WallTime(5s + 1ns);
  CHECK_FALSE(wanted(other, record));
}

TEST_CASE("since a duration is before now, since a time is that time, and nothing else is either") {
  const base::WallTime now(1'796'000'400s);
  CHECK(since_when("10m", now).value() == now - 10min);
  CHECK(since_when("30000d", now).value() == base::WallTime());
  CHECK(since_when("2026-11-30T01:00:00Z", now).value() == now);
  CHECK(since_when("10", now).has_error());
  CHECK(since_when("", now).has_error());
}

TEST_CASE("what a call did is cut to its columns with a mark, a path at its beginning") {
  CHECK(shown_what("run git status", 14) == "run git status");
  CHECK(shown_what("run git status", 10) == "run git s…");
  CHECK(shown_what("read /home/me/shop/src/cart.ts", 16) == "read …rc/cart.ts");
  CHECK(shown_what("write /w/äöü.txt", 13) == "write …öü.txt");
  CHECK(shown_what("run a\n\x1b[2J", 40) == "run a\\x0a\\x1b[2J");
  CHECK(shown_what("", 10).empty());
}

}  // namespace
}  // namespace proxy::commands
