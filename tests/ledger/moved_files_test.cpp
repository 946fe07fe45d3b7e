// Whoever can write to the ledger's folder may move its files away while they are open, and put others there.
// A writer that went on with its own would make a second chain.

#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

namespace fs = std::filesystem;
using ledger::Writer;

const std::vector<std::string>& names() {
  static const std::vector<std::string> all{"ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.lock",
                                            "ledger.mark"};
  return all;
}

base::Result<ledger::Written> append(Writer& writer) {
  return writer.append_now(scratch::one(scratch::decision("m", "ALLOW")));
}

bool refused(const base::Result<ledger::Written>& result, const std::string& what) {
  return !result && result.error().code() == base::Code::conflict &&
         result.error().message().find(what) != std::string::npos;
}

TEST_CASE("a writer writes nothing while a file of its ledger is moved away, and goes on once it is back") {
  for (const std::string& name : names()) {
    INFO(name);
    const scratch::Folder folder;
    const auto writer = Writer::open(folder.place(), scratch::options()).value();
    const auto before = append(*writer).value().records[0];
    const fs::path file = fs::path(folder.place().folder) / name;
    fs::rename(file, folder.path() / "away");
    CHECK(refused(append(*writer), "was moved, removed or replaced"));
    CHECK(refused(append(*writer), "was moved, removed or replaced"));
    fs::rename(folder.path() / "away", file);
    const auto after = append(*writer);
    REQUIRE(after.has_value());
    CHECK(after->records[0].sequence == before.sequence + 1);
  }
}

TEST_CASE("a writer writes nothing beside a copy that was put in the place of a file of its ledger") {
  for (const std::string& name : names()) {
    INFO(name);
    const scratch::Folder folder;
    const auto writer = Writer::open(folder.place(), scratch::options()).value();
    const auto head = append(*writer).value().records[0];
    const fs::path file = fs::path(folder.place().folder) / name;
    fs::rename(file, folder.path() / "away");
    fs::copy_file(folder.path() / "away", file);
    CHECK(refused(append(*writer), "was moved, removed or replaced"));
    fs::remove(file);
    fs::rename(folder.path() / "away", file);
    CHECK(scratch::all_records(folder.place()).size() == head.sequence + 1);
  }
}

TEST_CASE("a ledger that is moved away whole and made anew gets no second chain") {
  const scratch::Folder folder;
  const auto writer = Writer::open(folder.place(), scratch::options()).value();
  const auto head = append(*writer).value().records[0];
  const fs::path away = folder.path() / "away";
  fs::create_directory(away);
  for (const std::string& name : names()) fs::rename(fs::path(folder.place().folder) / name, away / name);
  // The newcomer cannot know; the writer that was there does, and says so.
  const auto other = Writer::open(folder.place(), scratch::options());
  REQUIRE(other.has_value());
  CHECK(append(**other).has_value());
  CHECK(refused(append(*writer), "was moved, removed or replaced"));
  CHECK(scratch::all_records({away.string()}).size() == head.sequence + 1);
}

}  // namespace
