#pragma once
// writers/ID: says by its lock that a writer lives, and by its text where its records begin (FORMAT.md,
// «Writers»). Making one and testing whether its writer lives both happen under the ledger's lock.

#include <cstdint>
#include <string>
#include <vector>

#include "proxy/base/error.hpp"
#include "proxy/base/file.hpp"

namespace ledger {

class WriterFile {
 public:
  WriterFile() = default;
  // Makes the folder too. `sync`: the file survives a power cut.
  static base::Result<WriterFile> create(const std::string& folder, const std::string& id,
                                         std::uint64_t first, bool sync);
  // Removes it and lets go of the lock.
  void remove();

  const std::string& id() const { return id_; }
  std::uint64_t first() const { return first_; }

 private:
  friend base::Result<std::vector<WriterFile>> dead_writer_files(const std::string& folder);
  WriterFile(std::string path, std::string id, std::uint64_t first, base::Descriptor file)
      : path_(std::move(path)), id_(std::move(id)), first_(first), file_(std::move(file)) {}

  std::string path_, id_;
  std::uint64_t first_ = 0;
  base::Descriptor file_;
};

// Files whose lock was free; it is ours now. `first` is 0 where the text is not a number. At most
// `dead_writers_max`.
inline constexpr std::size_t dead_writers_max = 256;
base::Result<std::vector<WriterFile>> dead_writer_files(const std::string& folder);

}  // namespace ledger
