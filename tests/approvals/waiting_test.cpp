#include "approvals/ask.hpp"
#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

using namespace std::chrono_literals;

ledger::Append ask(base::WallTime expires) {
  ledger::Record record = scratch::decision("m", "ASK");
  record.details["expires"] = std::to_string(expires.time_since_epoch().count());
  ledger::Append append = scratch::one(record);
  append.drafts[0].payloads.push_back({"arguments", R"({"path":"a.txt"})"});
  return append;
}

TEST_CASE("of the calls that wait only those not known are read") {
  const scratch::Folder folder;
  const auto writer = ledger::Writer::open(folder.place(), scratch::options()).value();
  const base::WallTime now = base::wall_now();
  writer->append_now(ask(now + 2min)).value();
  const auto reader = ledger::Reader::open(folder.place()).value();
  auto known = approvals::waiting_views(*reader, now, {}).value();
  REQUIRE(known.size() == 1);
  CHECK(known[0].arguments == R"({"path":"a.txt"})");

  writer->append_now(ask(now + 1min)).value();
  known[0].arguments = "as it was read before";
  const auto waiting = approvals::waiting_views(*reader, now, known).value();
  REQUIRE(waiting.size() == 2);
  CHECK(waiting[0].arguments == R"({"path":"a.txt"})");
  CHECK(waiting[1].arguments == "as it was read before");
  CHECK(approvals::waiting_views(*reader, now + 90s, waiting).value().size() == 1);

  known[0].decision.leaf = base::sha256("another ledger's");
  CHECK(approvals::waiting_views(*reader, now, known).value()[1].arguments == R"({"path":"a.txt"})");
}

}  // namespace
