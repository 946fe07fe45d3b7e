// Several processes on one ledger: one chain, nothing lost, whatever is killed.

#include <signal.h>

#include <array>
#include <semaphore>

#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

using ledger::Type;
using ledger::Writer;

int append_many(const ledger::Place& place, int count) {
  const auto writer = Writer::open(place, scratch::options());
  if (!writer) return 1;
  for (int i = 0; i < count; ++i)
    if (!(*writer)->append_now(scratch::one(scratch::decision("m", "ALLOW")))) return 2;
  return 0;
}

TEST_CASE("two processes that append 2,000 records each make one chain of all of them") {
  const scratch::Folder folder;
  std::array<pid_t, 2> children{};
  for (auto& child : children) child = scratch::spawn([&] { return append_many(folder.place(), 2000); });
  for (const auto child : children) CHECK(scratch::wait_for(child) == 0);
  const auto records = scratch::all_records(folder.place());
  CHECK(scratch::broken_chain(records).empty());
  CHECK(scratch::count(records, Type::decision) == 4000);
  CHECK(scratch::count(records, Type::genesis) == 1);
}

TEST_CASE("eight processes that start a ledger side by side make one") {
  for (int round = 0; round < 5; ++round) {
    const scratch::Folder folder;
    std::array<pid_t, 8> children{};
    for (auto& child : children) child = scratch::spawn([&] { return append_many(folder.place(), 3); });
    for (const auto child : children) CHECK(scratch::wait_for(child) == 0);
    const auto records = scratch::all_records(folder.place());
    CHECK(scratch::broken_chain(records).empty());
    CHECK(scratch::count(records, Type::decision) == 24);
  }
}

// Writes each acknowledged reference to the pipe, until it is killed.
int append_and_tell(const ledger::Place& place, int pipe, int payload_bytes) {
  const auto writer = Writer::open(place, scratch::options());
  if (!writer) return 1;
  std::counting_semaphore<16> free(16);  // in flight
  for (;;) {
    free.acquire();
    ledger::Append append = scratch::one(scratch::decision("m", "ALLOW"));
    append.drafts[0].payloads.push_back(
        {"arguments", base::random_bytes(static_cast<std::size_t>(payload_bytes))});
    (*writer)->append(std::move(append), [pipe, &free](const base::Result<ledger::Written>& done) {
      if (done) static_cast<void>(!::write(pipe, &done->records[0], sizeof(ledger::Reference)));
      free.release();
    });
  }
}

TEST_CASE(
    "a writer killed twenty times while it writes loses no acknowledged record and leaves a whole chain") {
  const scratch::Folder folder;
  std::vector<ledger::Reference> acknowledged;
  for (int round = 0; round < 20; ++round) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    const pid_t child = scratch::spawn([&] { return append_and_tell(folder.place(), ends[1], 40'000); });
    ::close(ends[1]);
    ledger::Reference reference;
    for (int told = 0; ::read(ends[0], &reference, sizeof reference) == sizeof reference; ++told) {
      acknowledged.push_back(reference);
      // At another moment each time, and after checkpoints too.
      if (told == 5 + round * 7) ::kill(child, SIGKILL);
    }
    CHECK(scratch::wait_for(child) == 128 + SIGKILL);
    ::close(ends[0]);
  }
  const auto records = scratch::all_records(folder.place());
  CHECK(scratch::broken_chain(records).empty());
  CHECK(acknowledged.size() > 1000);
  std::size_t missing = 0;
  for (const auto& one : acknowledged)
    missing += one.sequence < records.size() && records[one.sequence].leaf == one.leaf ? 0 : 1;
  CHECK(missing == 0);
  const auto writer = Writer::open(folder.place(), scratch::options()).value();
  CHECK(writer->close_dead_writers().value() == 20);
  const auto closed = scratch::all_records(folder.place());
  CHECK(scratch::broken_chain(closed).empty());
  CHECK(scratch::count(closed, Type::outcome) == scratch::count(closed, Type::decision));
}

}  // namespace
