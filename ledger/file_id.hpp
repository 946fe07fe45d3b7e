#pragma once
// Which file a path leads to: a file that is moved away or removed while it is open stays open, and what
// others find at its path is another one.

#include <sys/stat.h>

#include <string>

namespace ledger {

struct FileId {
  bool there = false;
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FileId&) const = default;

  static FileId of(const std::string& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return {};
    return {true, status.st_dev, status.st_ino};
  }
  static FileId of(int file) {
    struct stat status {};
    if (::fstat(file, &status) != 0) return {};
    return {true, status.st_dev, status.st_ino};
  }
};

}  // namespace ledger
