#pragma once
// The three files of an open SQLite database. SQLite keeps using those it opened, wherever they are now.

#include <string>

#include "ledger/file_id.hpp"
#include "proxy/base/error.hpp"

namespace ledger {

struct DatabaseFiles {
  FileId database, wal, shared_memory;

  static DatabaseFiles at(const std::string& path);
  // Code::conflict when another file, or none, stands in the place of one of them.
  base::Result<void> check(const std::string& path) const;
};

}  // namespace ledger
