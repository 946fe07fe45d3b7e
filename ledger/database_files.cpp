#include "ledger/database_files.hpp"

#include "proxy/base/text.hpp"

namespace ledger {

DatabaseFiles DatabaseFiles::at(const std::string& path) {
  return {FileId::of(path), FileId::of(path + "-wal"), FileId::of(path + "-shm")};
}

base::Result<void> DatabaseFiles::check(const std::string& path) const {
  const DatabaseFiles now = at(path);
  const char* suffix = now.database != database             ? ""
                       : now.wal != wal                     ? "-wal"
                       : now.shared_memory != shared_memory ? "-shm"
                                                            : nullptr;
  if (suffix == nullptr) return {};
  return base::Error(base::Code::conflict,
                     "the ledger's file " + base::quoted(path + suffix) +
                         " was moved, removed or replaced while it was in use; nothing is "
                         "written until callgate is started anew");
}

}  // namespace ledger
