#include "tests/cases/runner/organisation.hpp"

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <fstream>
#include <system_error>

namespace cases {

namespace files = std::filesystem;

namespace {

bool write_all(const files::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  return file.good();
}

// Mounts that nobody else sees; a user's own where that is allowed.
bool own_mounts() {
  const std::string user = std::to_string(::geteuid());
  const std::string group = std::to_string(::getegid());
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0)
    return write_all("/proc/self/setgroups", "deny") &&
           write_all("/proc/self/uid_map", user + " " + user + " 1") &&
           write_all("/proc/self/gid_map", group + " " + group + " 1");
  return ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

}  // namespace

bool stand_in_for_etc(const files::path& folder, const std::string& policy) {
  files::create_directories(folder / "callgate");
  for (const char* name : {"passwd", "group", "nsswitch.conf", "ld.so.cache", "localtime"}) {
    std::error_code ignored;
    files::copy_file(files::path("/etc") / name, folder / name, ignored);
  }
  return write_all(folder / "callgate/policy.toml", policy) && own_mounts() &&
         ::mount(folder.c_str(), "/etc", nullptr, MS_BIND, nullptr) == 0;
}

}  // namespace cases
