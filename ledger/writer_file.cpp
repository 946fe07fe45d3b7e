#include "ledger/writer_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <memory>

#include "ledger/profile.hpp"
#include "proxy/base/text.hpp"

namespace ledger {
namespace {

constexpr int open_flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;

std::uint64_t first_of(int file) {
  std::array<char, 32> text{};
  const ssize_t count = ::pread(file, text.data(), text.size(), 0);
  std::uint64_t first = 0;
  if (count <= 0) return 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + count, first);
  return error == std::errc{} && end != text.data() + count && *end == '\n' ? first : 0;
}

}  // namespace

base::Result<WriterFile> WriterFile::create(const std::string& folder, const std::string& id,
                                            std::uint64_t first, bool sync) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return base::errno_error("cannot make folder " + base::quoted(folder), errno);
  const std::string path = folder + "/" + id;
  base::Descriptor file(::open(path.c_str(), open_flags | O_CREAT | O_EXCL, 0600));
  const std::string text = std::to_string(first) + "\n";
  if (!file || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 ||
      ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    const int reason = errno;
    if (file) ::unlink(path.c_str());
    return base::errno_error("cannot write " + base::quoted(path), reason);
  }
  // Only that it is there must last: one whose line is lost counts as 0, and more is read to close its
  // writer.
  if (sync) {
    const base::Descriptor parent(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!parent || ::fsync(parent.get()) != 0) {
      const int reason = errno;
      ::unlink(path.c_str());
      return base::errno_error("cannot sync " + base::quoted(path), reason);
    }
  }
  return WriterFile(path, id, first, std::move(file));
}

void WriterFile::remove() {
  if (file_) ::unlink(path_.c_str());
  file_.reset();
}

base::Result<std::vector<WriterFile>> dead_writer_files(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  std::vector<WriterFile> dead;
  if (!entries) {
    if (errno == ENOENT) return dead;
    return base::errno_error("cannot read folder " + base::quoted(folder), errno);
  }
  while (dead.size() < dead_writers_max) {
    const dirent* entry = ::readdir(entries.get());
    if (entry == nullptr) break;
    const std::string id = entry->d_name;
    if (!profile::hex_digits(id, 32)) continue;
    const std::string path = folder + "/" + id;
    base::Descriptor file(::open(path.c_str(), open_flags));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    // Alive, or somebody else is closing it.
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) continue;
    if (::fstat(file.get(), &status) != 0 || status.st_nlink == 0) continue;
    const std::uint64_t first = first_of(file.get());
    dead.push_back(WriterFile(path, id, first, std::move(file)));
  }
  return dead;
}

}  // namespace ledger
