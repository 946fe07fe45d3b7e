#include "ledger/wal_room.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>

namespace ledger {
namespace {

constexpr sqlite3_int64 header_bytes = 32;
constexpr sqlite3_int64 frame_bytes = 24 + 4096;  // of the page size that SQLite gives a new database
constexpr sqlite3_int64 step_bytes = 512 * frame_bytes;

sqlite3_file* wal_of(sqlite3* database) {
  sqlite3_file* file = nullptr;
  const int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
  return result == SQLITE_OK && file != nullptr && file->pMethods != nullptr ? file : nullptr;
}

bool lay_zeros(sqlite3_file* file, sqlite3_int64 from, sqlite3_int64 to) {
  static constexpr std::array<char, 65536> zeros{};
  while (from < to) {
    const int count = static_cast<int>(std::min<sqlite3_int64>(to - from, zeros.size()));
    if (file->pMethods->xWrite(file, zeros.data(), count, from) != SQLITE_OK) return false;
    from += count;
  }
  return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY) == SQLITE_OK;
}

}  // namespace

void WalRoom::make(sqlite3* database, int frames) {
  frames_max_ = frames + 2 * frames_ahead;  // asked again then, whatever happens
  sqlite3_file* const wal = wal_of(database);
  sqlite3_int64 size = 0;
  if (wal == nullptr || wal->pMethods->xFileSize(wal, &size) != SQLITE_OK) return;
  const sqlite3_int64 end = header_bytes + frames * frame_bytes;
  if (size < end + frames_ahead * frame_bytes) {
    const sqlite3_int64 longer = std::max(size, end) + step_bytes;
    if (!lay_zeros(wal, size, longer)) return;
    size = longer;
  }
  frames_max_ = static_cast<int>((size - header_bytes) / frame_bytes);
}

}  // namespace ledger
