#include "approvals/operator_key.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string_view>

#include "proxy/base/file.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"

namespace approvals {
namespace {

constexpr std::size_t file_bytes = 65;  // 64 digits and a line feed

std::string folder_of(const std::string& state_folder) { return state_folder + "/keys"; }
std::string path_of(const std::string& state_folder) { return folder_of(state_folder) + "/operator.key"; }

// Nobody else may enter the folder: who can rename in it can put a key of their own there.
base::Result<void> check_folder(const std::string& folder) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0) {
    if (errno == ENOENT) return base::Error(base::Code::not_found, "no folder " + base::quoted(folder));
    return base::errno_error("cannot stat " + base::quoted(folder), errno);
  }
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::geteuid() || (status.st_mode & 077) != 0)
    return base::Error(base::Code::refused,
                       "the folder " + base::quoted(folder) +
                           " must be a folder of yours that nobody else can enter (mode 0700)");
  return {};
}

base::Result<std::string> read_whole(int file, const std::string& path) {
  std::string bytes(file_bytes + 1, '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = ::read(file, bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::errno_error("cannot read " + base::quoted(path), errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

base::Result<void> write_whole(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::errno_error("cannot write " + base::quoted(path), errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  if (::fsync(file) != 0) return base::errno_error("cannot write " + base::quoted(path), errno);
  return {};
}

// Whole under another name first, then linked to its own: nobody ever reads half a key, and link() never
// replaces.
base::Result<void> create(const std::string& state_folder) {
  const std::string path = path_of(state_folder);
  const std::string temporary = path + "." + base::hex(base::random_bytes(6)) + ".tmp";
  const base::Descriptor file(
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  if (!file) return base::errno_error("cannot write " + base::quoted(path), errno);
  base::Result<void> written =
      write_whole(file.get(), base::hex(base::SigningKey::generate().seed()) + "\n", path);
  if (written && ::link(temporary.c_str(), path.c_str()) != 0 && errno != EEXIST)
    written = base::errno_error("cannot write " + base::quoted(path), errno);
  ::unlink(temporary.c_str());
  if (!written) return written;
  const base::Descriptor folder(::open(folder_of(state_folder).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder || ::fsync(folder.get()) != 0)
    return base::errno_error("cannot write " + base::quoted(path), errno);
  return {};
}

}  // namespace

base::Result<base::SigningKey> load_key(const std::string& state_folder) {
  if (auto safe = check_folder(folder_of(state_folder)); !safe) return safe.error();
  const std::string path = path_of(state_folder);
  const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file) {
    if (errno == ENOENT) return base::Error(base::Code::not_found, "no operator key " + base::quoted(path));
    if (errno == ELOOP)
      return base::Error(base::Code::refused, "the operator key " + base::quoted(path) + " is a link");
    return base::errno_error("cannot open " + base::quoted(path), errno);
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return base::errno_error("cannot stat " + base::quoted(path), errno);
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || (status.st_mode & 077) != 0)
    return base::Error(base::Code::refused,
                       "the operator key " + base::quoted(path) +
                           " must be a file of yours that nobody else can read (mode 0600)");
  const auto bytes = read_whole(file.get(), path);
  if (!bytes) return bytes.error();
  const bool whole = bytes->size() == file_bytes && bytes->back() == '\n';
  const auto seed = whole ? base::from_hex(std::string_view(*bytes).substr(0, file_bytes - 1)) : std::nullopt;
  if (!seed)
    return base::Error(base::Code::invalid, base::quoted(path) + " is not 64 hex digits and a line feed");
  return base::SigningKey::from_seed(*seed);
}

base::Result<base::SigningKey> load_or_create_key(const std::string& state_folder) {
  auto key = load_key(state_folder);
  if (key || key.error().code() != base::Code::not_found) return key;
  if (auto made = base::make_folders(folder_of(state_folder)); !made) return made.error();
  if (auto safe = check_folder(folder_of(state_folder)); !safe) return safe.error();
  if (auto made = create(state_folder); !made) return made.error();
  return load_key(state_folder);
}

std::string public_text(const base::SigningKey& key) {
  const base::PublicKey bytes = key.public_key();
  return base::hex(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace approvals
