// The room that a synced ledger keeps ahead of its WAL's frames.

#include "ledger/wal_room.hpp"

#include <fstream>
#include <set>

#include "ledger/database.hpp"
#include "ledger/verify.hpp"
#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

namespace fs = std::filesystem;
using ledger::Durability;
using ledger::Writer;

std::uintmax_t wal_size(const ledger::Place& place) { return fs::file_size(place.folder + "/ledger.db-wal"); }

void append(Writer& writer, int count) {
  for (int i = 0; i < count; ++i) writer.append_now(scratch::one(scratch::decision("m", "ALLOW"))).value();
}

// The frames of a WAL that was never begun anew, without what follows them.
std::uintmax_t frames_end(const ledger::Place& place) {
  std::ifstream file(place.folder + "/ledger.db-wal", std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  constexpr std::size_t header = 32;
  constexpr std::size_t frame = 24 + 4096;
  return header + (bytes.find_last_not_of('\0') - header + frame) / frame * frame;
}

TEST_CASE("commits that sync find room in the WAL, and the WAL grows by many commits at once") {
  const scratch::Folder folder;
  std::set<std::uintmax_t> sizes;
  {
    const auto writer = Writer::open(folder.place(), scratch::options(Durability::disk)).value();
    for (int i = 0; i < 40; ++i) {
      append(*writer, 5);
      sizes.insert(wal_size(folder.place()));
    }
  }
  CHECK(sizes.size() <= 4);
  CHECK(*sizes.rbegin() > 1u << 20);
}

TEST_CASE("the room is no part of the ledger: with it, and cut off, all records are there") {
  const scratch::Folder folder;
  {
    const auto writer = Writer::open(folder.place(), scratch::options(Durability::disk)).value();
    append(*writer, 30);
  }
  REQUIRE(wal_size(folder.place()) > 1u << 20);
  const auto records = scratch::all_records(folder.place()).size();
  CHECK(ledger::verify(folder.place()).value().level != ledger::Report::Level::lost);

  fs::resize_file(folder.place().folder + "/ledger.db-wal", frames_end(folder.place()));
  fs::remove(folder.place().folder + "/ledger.db-shm");
  CHECK(ledger::verify(folder.place()).value().level != ledger::Report::Level::lost);
  CHECK(scratch::all_records(folder.place()).size() == records);
  append(*Writer::open(folder.place(), scratch::options(Durability::disk)).value(), 1);

  // A byte less is a loss, as ever.
  fs::resize_file(folder.place().folder + "/ledger.db-wal", frames_end(folder.place()) - 1);
  fs::remove(folder.place().folder + "/ledger.db-shm");
  CHECK(ledger::verify(folder.place()).value().level == ledger::Report::Level::lost);
}

TEST_CASE("a ledger that does not wait for the disk lays no room down") {
  const scratch::Folder folder;
  const auto writer = Writer::open(folder.place(), scratch::options()).value();
  append(*writer, 10);
  CHECK(wal_size(folder.place()) < 1u << 20);
}

}  // namespace
