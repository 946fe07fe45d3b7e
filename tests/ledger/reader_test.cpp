#include "ledger/reader.hpp"

#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

using ledger::Reader;

TEST_CASE("there is nothing to read where there is no ledger, and reading makes none") {
  const scratch::Folder folder;
  CHECK(Reader::open(folder.place()).error().code() == base::Code::not_found);
  CHECK_FALSE(std::filesystem::exists(folder.place().folder));
}

TEST_CASE("a scan gives each record once, in order, from the first asked for until it is told to stop") {
  const scratch::Folder folder;
  const auto writer = ledger::Writer::open(folder.place(), scratch::options()).value();
  for (int i = 0; i < 600; ++i) writer->append_now(scratch::one(scratch::decision("m", "ALLOW"))).value();
  const auto reader = Reader::open(folder.place()).value();
  CHECK(reader->head().value()->sequence == 601);
  const auto scanned = [&](std::uint64_t first, std::uint64_t count, std::size_t stop_after) {
    std::vector<std::uint64_t> sequences;
    reader
        ->scan(first, count,
               [&](const ledger::StoredRecord& stored) {
                 sequences.push_back(stored.record.sequence);
                 return sequences.size() < stop_after;
               })
        .value();
    return sequences;
  };
  const auto all = scanned(0, ~std::uint64_t{0}, 10'000);
  REQUIRE(all.size() == 602);
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == i);
  CHECK(scanned(600, 100, 100) == std::vector<std::uint64_t>{600, 601});
  CHECK(scanned(10, 300, 1000).back() == 309);
  CHECK(scanned(0, 300, 3).size() == 3);
  CHECK(scanned(9999, 5, 5).empty());
  CHECK_FALSE(reader->record(602).value().has_value());
}

TEST_CASE("a reader sees what is written after it was opened, from inside its own scan too") {
  const scratch::Folder folder;
  const auto writer = ledger::Writer::open(folder.place(), scratch::options()).value();
  const auto reader = Reader::open(folder.place()).value();
  reader
      ->scan(0, 2,
             [&](const ledger::StoredRecord&) {
               const auto written = writer->append_now(scratch::one(
                   scratch::mission_start("m" + std::to_string(reader->head().value()->sequence), 1)));
               CHECK(reader->record(written.value().records[0].sequence).value().has_value());
               return true;
             })
      .value();
  CHECK(reader->state().value() == writer->state());
}

}  // namespace
