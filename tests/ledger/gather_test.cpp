// Writer::gather and write: who writes what was gathered, and that order holds whoever does.

#include <sys/file.h>

#include <array>
#include <future>
#include <thread>

#include "ledger/database.hpp"
#include "ledger/worker.hpp"
#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

using ledger::Durability;
using ledger::Writer;
using Done = base::Result<ledger::Written>;

std::unique_ptr<Writer> open_writer(const scratch::Folder& folder,
                                    Durability durability = Durability::process) {
  return Writer::open(folder.place(), scratch::options(durability)).value();
}

ledger::Append a_decision() { return scratch::one(scratch::decision("m", "ALLOW")); }

// The thread that wrote, known once write() has come to its end or the future has.
struct Outcome {
  std::promise<std::thread::id> thread;
  std::uint64_t sequence = 0;
  Writer::Done done() {
    return [this](const Done& result) {
      if (result) sequence = result.value().records.front().sequence;
      thread.set_value(std::this_thread::get_id());
    };
  }
};

TEST_CASE("what was gathered is written by write(), as one batch and by the thread that calls it") {
  const scratch::Folder folder;
  const auto writer = open_writer(folder);
  const auto reader = ledger::Reader::open(folder.place()).value();
  std::uint64_t head_at_first = 0;
  Outcome first, second;
  writer->gather(a_decision(), [&](const Done& result) {
    head_at_first = reader->head().value()->sequence;
    first.done()(result);
  });
  writer->gather(a_decision(), second.done());
  writer->write();
  CHECK(first.thread.get_future().get() == std::this_thread::get_id());
  CHECK(second.thread.get_future().get() == std::this_thread::get_id());
  CHECK(second.sequence == first.sequence + 1);
  CHECK(head_at_first == second.sequence);
}

TEST_CASE("what waits without hurry is written before what was gathered after it") {
  const scratch::Folder folder;
  const auto writer = open_writer(folder);
  Outcome later, hurried;
  writer->append_later(a_decision(), later.done());
  writer->gather(a_decision(), hurried.done());
  writer->write();
  later.thread.get_future().wait();
  hurried.thread.get_future().wait();
  CHECK(hurried.sequence == later.sequence + 1);
}

TEST_CASE("the worker writes what would make the calling thread wait") {
  const scratch::Folder folder;
  const auto worker_writes = [](Writer& writer, ledger::Append append) {
    Outcome outcome;
    writer.gather(std::move(append), outcome.done());
    writer.write();
    return outcome.thread.get_future().get() != std::this_thread::get_id();
  };
  SECTION("for the disk") {
    const auto writer = open_writer(folder, Durability::disk);
    CHECK(worker_writes(*writer, a_decision()));
  }
  SECTION("for its size") {
    const auto writer = open_writer(folder);
    ledger::Append large = a_decision();
    large.drafts.front().payloads.push_back({"arguments", std::string(ledger::own_bytes_max + 1, 'x')});
    CHECK(worker_writes(*writer, std::move(large)));
  }
  SECTION("for a database that somebody has without the lock") {
    const auto writer = open_writer(folder);
    auto database =
        ledger::Database::open(folder.place().folder + "/ledger.db", ledger::Database::Mode::write).value();
    database.run("BEGIN IMMEDIATE").value();
    Outcome outcome;
    writer->gather(a_decision(), outcome.done());
    writer->write();
    database.run("ROLLBACK").value();
    CHECK(outcome.thread.get_future().get() != std::this_thread::get_id());
    CHECK(outcome.sequence > 0);
  }
  SECTION("for what others wrote meanwhile") {
    const auto writer = open_writer(folder);
    const auto other = open_writer(folder);
    ledger::Append many;
    for (int i = 0; i < 40; ++i) many.drafts.push_back({scratch::decision("m", "ALLOW"), {}});
    REQUIRE(other->append_now(std::move(many)).has_value());
    CHECK(worker_writes(*writer, a_decision()));
  }
  SECTION("for another process that holds the lock") {
    const auto writer = open_writer(folder);
    const auto lock = ledger::Lock::open(folder.place().folder + "/ledger.lock", false).value();
    auto held = std::make_optional(lock.acquire().value());
    Outcome outcome;
    writer->gather(a_decision(), outcome.done());
    writer->write();
    held.reset();
    CHECK(outcome.thread.get_future().get() != std::this_thread::get_id());
  }
}

TEST_CASE("two threads that gather and append lose nothing, and each keeps its order") {
  const scratch::Folder folder;
  constexpr int each = 2000;
  {
    const auto writer = open_writer(folder);
    const auto numbered = [](std::uint64_t thread, int number) {
      auto record = scratch::decision("m", "ALLOW");
      record.call = thread * 1'000'000 + static_cast<std::uint64_t>(number) + 1;
      return scratch::one(record);
    };
    std::thread other([&] {
      for (int i = 0; i < each; ++i) writer->append(numbered(1, i), {});
    });
    for (int i = 0; i < each; ++i) {
      if (i % 3 == 0)
        writer->append_later(numbered(0, i), {});
      else
        writer->gather(numbered(0, i), {});
      if (i % 5 == 0) writer->write();
    }
    writer->write();
    other.join();
  }
  const auto records = scratch::all_records(folder.place());
  CHECK(scratch::broken_chain(records).empty());
  std::array<int, 2> seen{};
  bool ordered = true;
  for (const auto& stored : records) {
    if (stored.record.type != ledger::Type::decision) continue;
    const std::size_t thread = stored.record.call / 1'000'000;
    ordered = ordered && stored.record.call % 1'000'000 == static_cast<std::uint64_t>(++seen[thread]);
  }
  CHECK(ordered);
  CHECK(seen == std::array{each, each});
}

}  // namespace
