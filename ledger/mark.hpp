#pragma once
// The high-water mark: the last head that was committed, beside the database, so that a lost tail is seen
// (FORMAT.md, «High-water mark»). It is also the doorbell: each commit writes it.

#include <optional>
#include <string>
#include <string_view>

#include "ledger/file_id.hpp"
#include "ledger/record.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/file.hpp"

namespace ledger {

inline constexpr std::size_t mark_bytes = 64;

std::string encode_mark(const Reference& head);
// Code::invalid when it is not exactly a mark.
base::Result<Reference> decode_mark(std::string_view bytes);

class Mark {
 public:
  // Opens for reading and writing; Code::not_found when absent.
  static base::Result<Mark> open(const std::string& path);
  // Makes it, whole or not at all, mode 0600, and syncs it and its folder. Under the ledger's lock.
  static base::Result<Mark> create(const std::string& path, const Reference& head);

  // Code::invalid when it is damaged, or not the file at its path any more.
  base::Result<Reference> read() const;
  base::Result<void> write(const Reference& head) const;  // not synced

 private:
  Mark(base::Descriptor file, std::string path)
      : file_(std::move(file)), path_(std::move(path)), id_(FileId::of(file_.get())) {}
  base::Descriptor file_;
  std::string path_;
  FileId id_;  // of file_
};

}  // namespace ledger
