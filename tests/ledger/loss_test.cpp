// Records that were lost below the high-water mark are found at opening and at every append.

#include <fstream>
#include <set>

#include "ledger/database.hpp"
#include "ledger/mark.hpp"
#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

namespace fs = std::filesystem;
using ledger::Writer;

// A ledger whose database was checkpointed or not, with its files beside it to copy from.
struct Sample {
  scratch::Folder folder;
  fs::path kept = folder.path() / "kept";
  std::uint64_t head = 0;

  explicit Sample(bool checkpointed) {
    {
      const auto writer = Writer::open(folder.place(), scratch::options()).value();
      for (int i = 0; i < 12; ++i) writer->append_now(scratch::one(scratch::decision("m", "ALLOW"))).value();
    }
    head = ledger::Reader::open(folder.place()).value()->head().value()->sequence;
    if (checkpointed) {
      auto database =
          ledger::Database::open(folder.place().folder + "/ledger.db", ledger::Database::Mode::write).value();
      database.run("PRAGMA wal_checkpoint(TRUNCATE)").value();
    }
    fs::rename(folder.place().folder, kept);
  }

  ledger::Place fresh() const {
    const auto place = folder.place();
    fs::remove_all(place.folder);
    fs::copy(kept, place.folder, fs::copy_options::recursive);
    fs::permissions(place.folder, fs::perms::owner_all);
    fs::remove(place.folder + "/ledger.db-shm");
    return place;
  }
};

// The head that SQLite itself would show; nothing when it shows none.
std::optional<std::uint64_t> shown_head(const ledger::Place& place) {
  const auto database = ledger::Database::open(place.folder + "/ledger.db", ledger::Database::Mode::write);
  if (!database) return std::nullopt;
  const auto head = database->integer("SELECT max(sequence) FROM record");
  return head ? std::optional(static_cast<std::uint64_t>(*head)) : std::nullopt;
}

// Empty when a loss, and nothing but a loss, is refused.
std::string judged_wrongly(const ledger::Place& place, std::uint64_t head) {
  const auto writer = Writer::open(place, scratch::options());
  if (!writer) return shown_head(place) == head ? "refused: " + writer.error().message() : "";
  std::string wrong = "opened after a loss";
  for (const auto& stored : scratch::all_records(place))
    if (stored.record.sequence == head) wrong.clear();
  return wrong;
}

TEST_CASE("every cut of the WAL that loses a record is refused") {
  const Sample sample(false);
  const auto size = fs::file_size(sample.kept / "ledger.db-wal");
  // Each length up to the first page, then around the edges of every frame and within it.
  constexpr std::uintmax_t frame = 24 + 4096;
  std::set<std::uintmax_t> lengths;
  for (std::uintmax_t at = 0; at < 32 + 24; ++at) lengths.insert(at);
  for (std::uintmax_t begin = 32; begin < size; begin += frame)
    for (const std::uintmax_t within : {std::uintmax_t{0}, std::uintmax_t{1}, std::uintmax_t{23},
                                        std::uintmax_t{24}, frame / 4, frame / 2, frame - 1})
      if (begin + within < size) lengths.insert(begin + within);
  std::size_t cuts = 0;
  for (const std::uintmax_t at : lengths) {
    const auto place = sample.fresh();
    fs::resize_file(place.folder + "/ledger.db-wal", at);
    const std::string wrong = judged_wrongly(place, sample.head);
    if (!wrong.empty()) FAIL("cut at " << at << ": " << wrong);
    ++cuts;
  }
  CHECK(cuts > 100);
}

TEST_CASE("a bit flipped in the WAL that loses a record is refused") {
  const Sample sample(false);
  const auto size = fs::file_size(sample.kept / "ledger.db-wal");
  for (std::uintmax_t at = 0; at < size; at += at < 56 ? 1 : 997) {
    const auto place = sample.fresh();
    std::fstream file(place.folder + "/ledger.db-wal", std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(byte ^ 4));
    file.close();
    const auto writer = Writer::open(place, scratch::options());
    if (writer && scratch::all_records(place).size() <= sample.head) FAIL("flip at " << at);
  }
}

TEST_CASE("every cut of a checkpointed database is refused") {
  const Sample sample(true);
  const auto size = fs::file_size(sample.kept / "ledger.db");
  for (std::uintmax_t at = 0; at < size; at += 1024) {
    const auto place = sample.fresh();
    fs::resize_file(place.folder + "/ledger.db", at);
    const auto writer = Writer::open(place, scratch::options());
    if (writer) FAIL("cut at " << at);
  }
  CHECK(Writer::open(sample.fresh(), scratch::options()).has_value());
}

TEST_CASE("a missing database, WAL or mark is a loss, and a damaged mark too") {
  const Sample sample(false);
  const auto refused = [](const ledger::Place& place) {
    const auto writer = Writer::open(place, scratch::options());
    return !writer && writer.error().code() == base::Code::conflict;
  };
  for (const char* name : {"/ledger.db", "/ledger.db-wal", "/ledger.mark"}) {
    const auto place = sample.fresh();
    fs::remove(place.folder + name);
    CHECK(refused(place));
    CHECK(refused(place));  // the first try repaired nothing
  }
  auto place = sample.fresh();
  fs::resize_file(place.folder + "/ledger.mark", 63);
  CHECK(refused(place));
  place = sample.fresh();
  fs::resize_file(place.folder + "/ledger.mark", 0);
  CHECK(refused(place));
  place = sample.fresh();
  REQUIRE(ledger::Mark::create(place.folder + "/ledger.mark", {sample.head, base::sha256("another")})
              .has_value());
  CHECK(refused(place));
  place = sample.fresh();
  REQUIRE(ledger::Mark::create(place.folder + "/ledger.mark", {3, base::sha256("another")}).has_value());
  CHECK(refused(place));
}

TEST_CASE("a ledger whose creator was killed before the mark is completed by the next") {
  const scratch::Folder folder;
  { Writer::open(folder.place(), scratch::options()).value(); }
  // Only genesis: cut the WAL behind its commit. Without a mark nothing above genesis can have been
  // acknowledged.
  const std::string wal = folder.place().folder + "/ledger.db-wal";
  fs::remove(folder.place().folder + "/ledger.mark");
  fs::remove(folder.place().folder + "/ledger.db-shm");
  const auto size = fs::file_size(wal);
  bool opened = false;
  for (std::uintmax_t frames = (size - 32) / 4120; frames > 0 && !opened; --frames) {
    fs::resize_file(wal, 32 + frames * 4120);
    fs::remove(folder.place().folder + "/ledger.db-shm");
    opened = shown_head(folder.place()) == 0;
  }
  REQUIRE(opened);
  CHECK(Writer::open(folder.place(), scratch::options()).has_value());
}

TEST_CASE("a mark above the head is seen by the next append of a writer that is open, which writes nothing") {
  const scratch::Folder folder;
  const auto writer = Writer::open(folder.place(), scratch::options()).value();
  const auto before = writer->append_now(scratch::one(scratch::decision("m", "ALLOW"))).value().records[0];
  const auto mark = ledger::Mark::open(folder.place().folder + "/ledger.mark").value();
  CHECK(mark.read().value() == before);
  mark.write({before.sequence + 5, before.leaf}).value();
  CHECK(writer->append_now(scratch::one(scratch::decision("m", "ALLOW"))).error().code() ==
        base::Code::conflict);
  CHECK(scratch::all_records(folder.place()).size() == before.sequence + 1);
  mark.write(before).value();
  CHECK(writer->append_now(scratch::one(scratch::decision("m", "ALLOW"))).has_value());
}

TEST_CASE("an adopted loss is on record with both heads, and the ledger goes on") {
  const Sample sample(false);
  CHECK(Writer::adopt_loss(sample.fresh(), scratch::options()).error().code() == base::Code::refused);
  for (const char* name : {"/ledger.db-wal", "/ledger.db", "/ledger.mark"}) {
    const auto place = sample.fresh();
    fs::remove(place.folder + name);
    const auto adopted = Writer::adopt_loss(place, scratch::options());
    REQUIRE(adopted.has_value());
    const auto writer = Writer::open(place, scratch::options());
    REQUIRE(writer.has_value());
    const auto records = scratch::all_records(place);
    CHECK(scratch::broken_chain(records).empty());
    const auto& details = records[adopted->sequence].record.details;
    CHECK(details.at("reason") == "loss_adopted");
    CHECK((details.at("mark_sequence") == std::to_string(sample.head)) ==
          (std::string(name) != "/ledger.mark"));
  }
}

}  // namespace
