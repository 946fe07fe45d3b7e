#include "proxy/base/file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "proxy/base/check.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"

namespace base {

void Descriptor::reset(int number) {
  if (number_ >= 0) ::close(number_);
  number_ = number;
}

Result<std::string> read_file(const std::string& path, std::size_t bytes_max) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) {
    if (errno == ENOENT || errno == ENOTDIR) return Error(Code::not_found, "no file " + quoted(path));
    return errno_error("cannot open " + quoted(path), errno);
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return errno_error("cannot stat " + quoted(path), errno);
  if (!S_ISREG(status.st_mode)) return Error(Code::invalid, quoted(path) + " is not a regular file");
  std::string bytes;
  char chunk[65536];
  for (;;) {
    const ssize_t count = ::read(file.get(), chunk, sizeof chunk);
    if (count == 0) return bytes;
    if (count < 0) {
      if (errno == EINTR) continue;
      return errno_error("cannot read " + quoted(path), errno);
    }
    bytes.append(chunk, static_cast<std::size_t>(count));
    if (bytes.size() > bytes_max)
      return Error(Code::limit, quoted(path) + " is larger than " + std::to_string(bytes_max) + " bytes");
  }
}

Result<void> write_file(const std::string& path, std::string_view bytes, unsigned mode) {
  const std::string temporary = path + "." + hex(random_bytes(6)) + ".tmp";
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!file) return errno_error("cannot write " + quoted(path), errno);
  const auto fail = [&] {
    const int reason = errno;
    ::unlink(temporary.c_str());
    return errno_error("cannot write " + quoted(path), reason);
  };
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail();
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  if (::fsync(file.get()) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) return fail();
  return {};
}

Result<void> make_folders(const std::string& path) {
  for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    const std::string part = path.substr(0, at);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST)
      return errno_error("cannot make folder " + quoted(part), errno);
    if (at == std::string::npos) return {};
  }
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t filled = 0;
  while (filled < count) {
    const ssize_t got = ::getrandom(bytes.data() + filled, count - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    CHECK(got > 0);
    filled += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace base
