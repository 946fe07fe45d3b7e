#include "proxy/base/key_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>

#include "proxy/base/check.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"

namespace base {
namespace {

constexpr std::size_t file_bytes = 2 * key_bytes + 1;  // the digits and a line feed

Result<void> sync_folder(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder || ::fsync(folder.get()) != 0) return errno_error("cannot write " + quoted(path), errno);
  return {};
}

Result<std::string> read_whole(int file) {
  std::string bytes(file_bytes + 1, '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = ::read(file, bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno_error("cannot read a key", errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace

Error KeyFile::cannot(std::string_view act, int error_number) const {
  return errno_error("cannot " + std::string(act) + " " + what_ + " " + quoted(path_), error_number);
}

// Nobody else may enter the folder: who can rename in it can put a key of their own there.
Result<void> KeyFile::check_folder() const {
  struct stat status {};
  if (::lstat(folder_.c_str(), &status) != 0) {
    if (errno == ENOENT) return Error(Code::not_found, "no folder " + quoted(folder_));
    return errno_error("cannot stat " + quoted(folder_), errno);
  }
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::geteuid() || (status.st_mode & 077) != 0)
    return Error(Code::refused, "the folder " + quoted(folder_) +
                                    " must be a folder of yours that nobody else can enter (mode 0700)");
  return {};
}

Result<std::string> KeyFile::load() const {
  if (auto safe = check_folder(); !safe) return safe.error();
  const Descriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file) {
    if (errno == ENOENT) return Error(Code::not_found, what_ + " " + quoted(path_) + " is not there");
    if (errno == ELOOP) return Error(Code::refused, what_ + " " + quoted(path_) + " is a link");
    return cannot("open", errno);
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return cannot("stat", errno);
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || (status.st_mode & 077) != 0)
    return Error(Code::refused, what_ + " " + quoted(path_) +
                                    " must be a file of yours that nobody else can read (mode 0600)");
  const auto bytes = read_whole(file.get());
  if (!bytes) return bytes.error();
  const bool whole = bytes->size() == file_bytes && bytes->back() == '\n';
  const auto key = whole ? from_hex(std::string_view(*bytes).substr(0, file_bytes - 1)) : std::nullopt;
  if (!key) return Error(Code::invalid, quoted(path_) + " is not 64 hex digits and a line feed");
  return *key;
}

// Whole under another name first, then linked to its own: nobody ever reads half a key, and link() never
// replaces.
Result<void> KeyFile::create(std::string_view key) const {
  CHECK(key.size() == key_bytes);
  const std::string temporary = path_ + "." + hex(random_bytes(6)) + ".tmp";
  if (auto written = write_file(temporary, hex(key) + "\n", S_IRUSR | S_IWUSR); !written) return written;
  Result<void> linked;
  if (::link(temporary.c_str(), path_.c_str()) != 0 && errno != EEXIST) linked = cannot("write", errno);
  ::unlink(temporary.c_str());
  return linked ? sync_folder(folder_) : linked;
}

Result<std::string> KeyFile::load_or_create(std::string_view fresh) const {
  auto key = load();
  if (key || key.error().code() != Code::not_found) return key;
  if (auto made = make_folders(folder_); !made) return made.error();
  if (auto safe = check_folder(); !safe) return safe.error();
  if (auto made = create(fresh); !made) return made.error();
  return load();
}

Result<void> KeyFile::replace(std::string_view key) const {
  CHECK(key.size() == key_bytes);
  if (auto safe = check_folder(); !safe) return safe;
  return write_file(path_, hex(key) + "\n", S_IRUSR | S_IWUSR);
}

Result<void> KeyFile::remove() const {
  if (::unlink(path_.c_str()) != 0) return cannot("remove", errno);
  return sync_folder(folder_);
}

Result<void> KeyFile::rename_to(const KeyFile& other) const {
  if (::rename(path_.c_str(), other.path_.c_str()) != 0) return cannot("rename", errno);
  return sync_folder(folder_);
}

}  // namespace base
