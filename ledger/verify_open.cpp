#include "ledger/verify_open.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "ledger/lock.hpp"
#include "ledger/wal_trouble.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/text.hpp"

namespace ledger {
namespace {

namespace fs = std::filesystem;

// A snapshot begins with the first read.
base::Result<void> begin(const Database& database) {
  if (auto begun = database.run("BEGIN"); !begun) return begun;
  if (const auto read = database.integer("SELECT count(*) FROM sqlite_schema"); !read) return read.error();
  return {};
}

base::Result<Database> open_and_begin(const std::string& path) {
  auto database = Database::open(path, Database::Mode::read);
  if (!database) return database;
  if (auto begun = begin(*database); !begun) return begun.error();
  return database;
}

base::Result<std::string> copied(const std::string& path) {
  const char* temporary = std::getenv("TMPDIR");
  std::string folder =
      std::string(temporary != nullptr && *temporary == '/' ? temporary : "/tmp") + "/callgate-verify-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) return base::errno_error("cannot make a copy to read", errno);
  for (const char* suffix : {"", "-wal"}) {
    std::error_code error;
    if (*suffix != '\0' && !fs::exists(path + suffix, error)) continue;
    fs::copy_file(path + suffix, folder + "/ledger.db" + suffix, error);
    if (!error)
      fs::permissions(folder + "/ledger.db" + suffix, fs::perms::owner_read | fs::perms::owner_write, error);
    if (!error) continue;
    fs::remove_all(folder, error);
    return base::Error(base::Code::io, "cannot copy " + base::quoted(path + suffix) + " to read it");
  }
  return folder;
}

void read_mark(const Place& place, Snapshot& snapshot) {
  const auto bytes = base::read_file(place.folder + "/ledger.mark", mark_bytes + 1);
  if (!bytes && bytes.error().code() == base::Code::not_found) {
    snapshot.mark_trouble = "missing";
    return;
  }
  const auto mark = bytes ? decode_mark(*bytes) : base::Result<Reference>(bytes.error());
  if (mark)
    snapshot.mark = *mark;
  else
    snapshot.mark_trouble = bytes || bytes.error().code() != base::Code::io ? "damaged" : "unreadable";
}

}  // namespace

PrivateCopy::~PrivateCopy() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

base::Result<Snapshot> open_snapshot(const Place& place) {
  const std::string path = place.folder + "/ledger.db";
  // A copy of a ledger may come without its lock; nobody writes there then.
  const auto lock = Lock::open(place.folder + "/ledger.lock", false);
  std::optional<Lock::Held> held;
  if (lock) {
    auto acquired = lock->acquire();
    if (!acquired) return acquired.error();
    held.emplace(std::move(*acquired));
  }
  Snapshot snapshot;
  snapshot.folder = place.folder;
  snapshot.wal = wal_trouble(path + "-wal");
  read_mark(place, snapshot);
  auto database = open_and_begin(path);
  if (!database && database.error().code() == base::Code::not_found) {
    if (!snapshot.mark && snapshot.mark_trouble == "missing")
      return base::Error(base::Code::not_found, "there is no ledger yet");
    return snapshot;
  }
  if (!database && database.error().code() == base::Code::io && ::access(place.folder.c_str(), W_OK) != 0) {
    auto folder = copied(path);
    if (!folder) return folder.error();
    Snapshot copy{PrivateCopy(*folder),  std::nullopt,    snapshot.mark,
                  snapshot.mark_trouble, snapshot.folder, snapshot.wal};
    database = open_and_begin(*folder + "/ledger.db");
    if (!database) return database.error();
    copy.database.emplace(std::move(*database));
    return copy;
  }
  if (!database) return database.error();
  const auto objects = database->integer("SELECT count(*) FROM sqlite_schema");
  if (!objects) return objects.error();
  if (*objects == 0) {
    if (!snapshot.mark && snapshot.mark_trouble == "missing")
      return base::Error(base::Code::not_found, "there is no ledger yet");
    return snapshot;
  }
  snapshot.database.emplace(std::move(*database));
  return snapshot;
}

}  // namespace ledger
