#include <signal.h>

#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

namespace fs = std::filesystem;
using ledger::Reference;
using ledger::Type;
using ledger::Writer;

constexpr std::int64_t later = std::numeric_limits<std::int64_t>::max();

Reference append(Writer& writer, const ledger::Record& record) {
  return writer.append_now(scratch::one(record)).value().records[0];
}

void allow(Writer& writer, const Reference& ask) {
  ledger::Record answer = scratch::answering(Type::answer, ask);
  answer.operator_ =
      ledger::Operator{"allow", "same-user", std::string(64, 'a'), std::string(128, 'b'), later};
  append(writer, answer);
}

// Records 3 to …: one of each thing that a writer may leave open, and one of each that it has closed.
int leave_open(const ledger::Place& place) {
  auto writer = Writer::open(place, scratch::options()).value();
  const auto answered = append(*writer, scratch::decision("m", "ALLOW"));
  append(*writer, scratch::answering(Type::outcome, answered));
  append(*writer, scratch::decision("m", "ALLOW"));  // 4: unknown
  append(*writer, scratch::decision("m", "DENY"));
  append(*writer, scratch::decision("m", "ASK", later));                       // 6: withdrawn
  const auto allowed = append(*writer, scratch::decision("m", "ASK", later));  // 7: withdrawn
  allow(*writer, allowed);
  const auto detached = append(*writer, scratch::decision("m", "ASK", later));  // 9: stays
  append(*writer, scratch::answering(Type::detached, detached));
  const auto released = append(*writer, scratch::decision("m", "ASK", later));  // 11: unknown
  allow(*writer, released);
  append(*writer, scratch::answering(Type::released, released));
  ledger::Record joined = scratch::decision("m", "ASK");
  joined.details["joins"] = std::to_string(detached.sequence);
  append(*writer, joined);              // 14: unknown
  static_cast<void>(writer.release());  // no destructor
  return 0;
}

std::map<std::uint64_t, Type> closing(const std::vector<ledger::StoredRecord>& records, std::uint64_t first) {
  std::map<std::uint64_t, Type> found;
  for (const auto& stored : records)
    if (stored.record.sequence >= first && stored.record.answers && stored.record.type != Type::writer_stop)
      found[stored.record.answers->sequence] = stored.record.type;
  return found;
}

TEST_CASE("what a dead writer left open is closed once, and nothing else") {
  const scratch::Folder folder;
  REQUIRE(scratch::wait_for(scratch::spawn([&] { return leave_open(folder.place()); })) == 0);
  const auto files = folder.place().folder + "/writers";
  const fs::path file = fs::directory_iterator(files)->path();
  fs::copy_file(file, folder.path() / "copy");
  const auto writer = Writer::open(folder.place(), scratch::options()).value();
  CHECK(writer->close_dead_writers().value() == 1);
  CHECK(writer->close_dead_writers().value() == 0);
  const auto records = scratch::all_records(folder.place());
  CHECK(scratch::broken_chain(records).empty());
  CHECK(closing(records, 16) == std::map<std::uint64_t, Type>{{4, Type::outcome},
                                                              {6, Type::withdrawn},
                                                              {7, Type::withdrawn},
                                                              {11, Type::outcome},
                                                              {14, Type::outcome}});
  CHECK(scratch::count(records, Type::writer_stop) == 1);
  CHECK(writer->state().asks().size() == 1);
  CHECK(writer->state() == scratch::folded(records));
  CHECK_FALSE(fs::exists(file));

  // As if the closer had been killed after its commit, before it removed the file.
  fs::copy_file(folder.path() / "copy", file);
  CHECK(writer->close_dead_writers().value() == 1);
  CHECK(scratch::all_records(folder.place()).size() == records.size());
  CHECK_FALSE(fs::exists(file));
  CHECK(fs::exists(files + "/" + writer->id()));
}

TEST_CASE("two processes that close the same dead writer at once write its end once") {
  const scratch::Folder folder;
  REQUIRE(scratch::wait_for(scratch::spawn([&] { return leave_open(folder.place()); })) == 0);
  const auto close = [&] {
    const auto writer = Writer::open(folder.place(), scratch::options()).value();
    return writer->close_dead_writers() ? 0 : 1;
  };
  const pid_t one = scratch::spawn(close);
  const pid_t two = scratch::spawn(close);
  CHECK(scratch::wait_for(one) == 0);
  CHECK(scratch::wait_for(two) == 0);
  const auto records = scratch::all_records(folder.place());
  CHECK(scratch::broken_chain(records).empty());
  std::size_t died = 0;
  for (const auto& stored : records) died += stored.record.details.contains("of") ? 1 : 0;
  CHECK(died == 1);
  CHECK(scratch::count(records, Type::withdrawn) == 2);
}

TEST_CASE("a writer file without text, or of a writer that never started, is removed and closes nothing") {
  const scratch::Folder folder;
  const auto writer = Writer::open(folder.place(), scratch::options()).value();
  const auto files = folder.place().folder + "/writers/";
  std::FILE* file = std::fopen((files + std::string(32, 'e')).c_str(), "w");
  REQUIRE(file != nullptr);
  std::fclose(file);
  const auto before = scratch::all_records(folder.place()).size();
  CHECK(writer->close_dead_writers().value() == 1);
  CHECK(scratch::all_records(folder.place()).size() == before);
}

}  // namespace
