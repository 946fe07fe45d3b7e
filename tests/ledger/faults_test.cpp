// A disk that is full, a state folder that cannot be written, a lock that others hold.

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <fstream>
#include <future>

#include "ledger/lock.hpp"
#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

namespace fs = std::filesystem;
using ledger::Writer;

ledger::Append with_payload(std::size_t bytes) {
  ledger::Append append = scratch::one(scratch::decision("m", "ALLOW"));
  append.drafts[0].payloads.push_back({"arguments", base::random_bytes(bytes)});
  return append;
}

// No file may grow beyond the limit: as on a full disk, but for the error's name.
int fill_and_go_on(const ledger::Place& place) {
  ::signal(SIGXFSZ, SIG_IGN);
  const auto writer = Writer::open(place, scratch::options()).value();
  if (!writer->append_now(with_payload(1000))) return 1;
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit full{fs::file_size(place.folder + "/ledger.db-wal") + 6000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &full);
  const auto failed = writer->append_now(with_payload(100'000));
  const auto failed_again = writer->append_now(with_payload(100'000));
  ::setrlimit(RLIMIT_FSIZE, &before);
  if (failed || failed.error().code() != base::Code::io) return 2;
  if (failed_again || failed_again.error().code() != base::Code::io) return 3;
  const auto again = writer->append_now(with_payload(100'000));
  if (!again) return 4;
  return again->records[0].sequence == 3 ? 0 : 5;
}

TEST_CASE("appends fail while the disk is full, leave nothing behind, and succeed when there is room again") {
  const scratch::Folder folder;
  CHECK(scratch::wait_for(scratch::spawn([&] { return fill_and_go_on(folder.place()); })) == 0);
  const auto records = scratch::all_records(folder.place());
  CHECK(records.size() == 5);
  CHECK(scratch::broken_chain(records).empty());
}

// While there is room for records only.
int outcome_without_room(const ledger::Place& place) {
  ::signal(SIGXFSZ, SIG_IGN);
  const auto writer = Writer::open(place, scratch::options()).value();
  const auto decision = writer->append_now(with_payload(1000));
  if (!decision) return 1;
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = fs::file_size(place.folder + "/ledger.db-wal") + 80'000;
  ::setrlimit(RLIMIT_FSIZE, &limit);
  ledger::Append outcome = scratch::one(scratch::answering(ledger::Type::outcome, decision->records[0]));
  outcome.drafts[0].payloads.push_back({"result", base::random_bytes(200'000)});
  std::promise<std::uint64_t> written;
  writer->append_later(std::move(outcome), [&](const base::Result<ledger::Written>& done) {
    written.set_value(done ? done->records[0].sequence : 0);
  });
  const std::uint64_t sequence = written.get_future().get();
  if (sequence == 0) return 2;
  if (!writer->append_now(scratch::one(scratch::decision("m", "ALLOW")))) return 3;
  const auto stored = ledger::Reader::open(place).value()->record(sequence).value().value();
  return stored.record.detail("left_out") == "result" && stored.record.payloads.empty() ? 0 : 4;
}

TEST_CASE("an outcome whose payload finds no room is on record without it, and takes no other append down") {
  const scratch::Folder folder;
  CHECK(scratch::wait_for(scratch::spawn([&] { return outcome_without_room(folder.place()); })) == 0);
  CHECK(scratch::broken_chain(scratch::all_records(folder.place())).empty());
}

// A file system of its own at `folder`, which only this process sees. False: not possible here.
bool mount_small(const std::string& folder) {
  const std::string user = std::to_string(::geteuid());
  const std::string group = std::to_string(::getegid());
  if (::unshare(CLONE_NEWNS | (::geteuid() == 0 ? 0 : CLONE_NEWUSER)) != 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << user + " " + user + " 1";
  std::ofstream("/proc/self/gid_map") << group + " " + group + " 1";
  return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("none", folder.c_str(), "tmpfs", 0, "size=1m,mode=0700") == 0;
}

int fill_small_disk(const std::string& folder) {
  if (!mount_small(folder)) return 77;
  const ledger::Place place{folder + "/ledger"};
  {
    const auto writer = Writer::open(place, scratch::options()).value();
    base::Result<ledger::Written> last = writer->append_now(with_payload(1000));
    for (int i = 0; i < 50 && last; ++i) last = writer->append_now(with_payload(100'000));
    if (last || last.error().code() != base::Code::io) return 1;
    if (::mount("none", folder.c_str(), nullptr, MS_REMOUNT, "size=16m") != 0) return 2;
    if (!writer->append_now(with_payload(100'000))) return 3;
  }
  if (!scratch::broken_chain(scratch::all_records(place)).empty()) return 4;
  if (::mount("none", folder.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, "size=16m") != 0) return 5;
  const auto writer = Writer::open(place, scratch::options());
  if (writer) return 6;
  return writer.error().message().find("Read-only file system") != std::string::npos ? 0 : 7;
}

TEST_CASE("a small disk that runs full, and one that is read-only, give errors that say so") {
  const scratch::Folder folder;
  const int code = scratch::wait_for(scratch::spawn([&] { return fill_small_disk(folder.path().string()); }));
  if (code == 77)
    WARN("skipped: no file system can be mounted here");
  else
    CHECK(code == 0);
}

TEST_CASE("a state folder that cannot be written gives an error that says so") {
  const scratch::Folder folder;
  { Writer::open(folder.place(), scratch::options()).value(); }
  const auto attempt = [&](const std::string& at) {
    return scratch::spawn([at] {
      if (::geteuid() == 0 && ::setuid(65534) != 0) return 77;
      const auto writer = Writer::open({at}, scratch::options());
      if (writer) return 1;
      return writer.error().message().find(at) != std::string::npos ? 0 : 2;
    });
  };
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_exec |
                                     fs::perms::others_read);
  CHECK(scratch::wait_for(attempt((folder.path() / "new").string())) == 0);
  fs::permissions(folder.place().folder, fs::perms::owner_read | fs::perms::owner_exec);
  fs::permissions(folder.place().folder + "/ledger.lock", fs::perms::owner_read);
  if (::geteuid() == 0) {
    CHECK(scratch::wait_for(attempt(folder.place().folder)) == 0);  // of another user
  } else {
    CHECK(scratch::wait_for(attempt(folder.place().folder)) == 0);
  }
  fs::permissions(folder.path(), fs::perms::owner_all);
  fs::permissions(folder.place().folder, fs::perms::owner_all);
}

TEST_CASE("a lock that another process holds is waited for so long and no longer, and had once it is free") {
  const scratch::Folder folder;
  const std::string path = folder.path() / "lock";
  CHECK(ledger::Lock::open(path, false).error().code() == base::Code::not_found);
  const auto mine = ledger::Lock::open(path, true).value();
  const auto theirs = ledger::Lock::open(path, true).value();
  {
    const auto held = theirs.acquire();
    REQUIRE(held.has_value());
    const auto failed = mine.acquire(std::chrono::milliseconds(30));
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.error().code() == base::Code::unavailable);
  }
  CHECK(mine.acquire().has_value());
}

}  // namespace
