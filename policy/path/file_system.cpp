#include "policy/path/file_system.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>
#ifdef SYS_openat2
#include <linux/openat2.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>

#include "proxy/base/file.hpp"

namespace policy {
namespace {

// `f_type` of statfs(2): numbers of linux/magic.h, and of drivers that it does not list.
enum class Case { kept, folded, either };
Case case_of(std::uint32_t type) {
  switch (type) {
    case 0x4d44:      // msdos, vfat
    case 0x2011bab0:  // exfat
    case 0x5346544e:  // ntfs
    case 0x7366746e:  // ntfs3
    case 0x4244:      // hfs
    case 0xadff:      // affs
    case 0x517b:      // smb
      return Case::folded;
    case 0x65735546:  // fuse: ntfs-3g, virtiofs, shares of virtual machines, and file systems that keep it
    case 0x01021997:  // 9p: drives of Windows under WSL, among others
    case 0xff534d42:  // cifs
    case 0xfe534d42:  // smb2
    case 0x482b:      // hfsplus
    case 0x786f4256:  // vboxsf
    case 0x7c7c6673:  // prl_fs
      return Case::either;
    default: return Case::kept;
  }
}

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Whether another spelling of an existing path's last name is there too; true where that cannot be told.
bool found_respelled(std::string path) {
  const std::size_t name = path.rfind('/') + 1;
  const auto first = std::find_if(path.begin() + static_cast<std::ptrdiff_t>(name), path.end(), letter);
  if (first == path.end()) return true;
  *first = static_cast<char>(*first ^ 0x20);
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 || errno != ENOENT;
}

}  // namespace

std::optional<std::string> FileSystem::target(const std::string& path) const {
  std::array<char, PATH_MAX> buffer;
  const ssize_t size = ::readlink(path.c_str(), buffer.data(), buffer.size());
  if (size <= 0) return std::nullopt;
  return std::string(buffer.data(), static_cast<std::size_t>(size));
}

// Linux walks the path in order and stops at the first link, or where nothing stands any more: past that
// there is none.
bool FileSystem::may_have_links(const std::string& path) const {
#ifdef SYS_openat2
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS;
  const long descriptor = ::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how);
  if (descriptor < 0) return errno != ENOENT && errno != ENOTDIR;
  ::close(static_cast<int>(descriptor));
  return false;
#else
  return true;
#endif
}

Links::Standing FileSystem::standing(const std::string& path) const {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return {};
  if (S_ISREG(status.st_mode)) return {Kind::file, static_cast<unsigned>(status.st_nlink)};
  return {S_ISDIR(status.st_mode) ? Kind::directory : S_ISLNK(status.st_mode) ? Kind::link : Kind::file};
}

std::optional<std::vector<Links::Entry>> FileSystem::entries(const std::string& directory,
                                                             std::size_t most) const {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(directory.c_str()), ::closedir);
  if (!open) return errno == ENOENT || errno == ENOTDIR ? std::optional(std::vector<Entry>()) : std::nullopt;
  std::vector<Entry> entries;
  while (const dirent* entry = ::readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (entries.size() == most) return std::nullopt;
    unsigned char type = entry->d_type;
    if (type == DT_UNKNOWN) {
      struct stat status {};
      if (::lstat((directory + '/' + std::string(name)).c_str(), &status) != 0) return std::nullopt;
      type = S_ISDIR(status.st_mode) ? DT_DIR : S_ISLNK(status.st_mode) ? DT_LNK : DT_REG;
    }
    const Kind kind = type == DT_DIR ? Kind::directory : type == DT_LNK ? Kind::link : Kind::file;
    entries.push_back({std::string(name), kind});
  }
  return entries;
}

std::optional<std::string> FileSystem::text(const std::string& path, std::size_t most) const {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  auto text = base::read_file(path, most);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

// A name that is not there, or out of reach, stands on the volume of its folder.
bool FileSystem::folds_case(const std::string& path) const {
  for (std::string at = path; !at.empty(); at.resize(at.rfind('/'))) {
    struct statfs volume {};
    if (::statfs(at.c_str(), &volume) != 0) continue;
    const Case kind = case_of(static_cast<std::uint32_t>(volume.f_type));
    return kind == Case::folded || (kind == Case::either && found_respelled(at));
  }
  return false;
}

}  // namespace policy
