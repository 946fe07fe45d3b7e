#include "transports/keeper_reap.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace transports::keeper {
namespace {

constexpr int fruitless_rounds_max = 200;  // 5 ms each

// As getdents64(2) gives it.
struct Entry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t size;
  std::uint8_t type;
  char name[1];
};

pid_t pid_from(const char* text) {
  pid_t pid = 0;
  for (; *text >= '0' && *text <= '9'; ++text) pid = pid * 10 + (*text - '0');
  return *text == '\0' ? pid : 0;
}

// The parent in /proc/PID/stat: `pid (name) state ppid …`, where the name may hold anything.
pid_t parent_of(int processes, const char* name) {
  char path[32] = {};
  std::strncpy(path, name, 16);
  std::strncat(path, "/stat", 6);
  const int file = ::openat(processes, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[512];
  const ssize_t size = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (size <= 0) return 0;
  text[size] = '\0';
  const char* at = std::strrchr(text, ')');
  if (at == nullptr || std::strlen(at) < 5) return 0;
  pid_t parent = 0;
  for (at += 4; *at >= '0' && *at <= '9'; ++at) parent = parent * 10 + (*at - '0');
  return parent;
}

// Sends SIGKILL to every child. A child's pid cannot be another's: only we reap. Returns how many there were,
// -1 when the list cannot be read.
int kill_children() {
  const int processes = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (processes < 0) return -1;
  const pid_t self = ::getpid();
  int killed = 0;
  alignas(Entry) char buffer[4096];
  long size = 0;
  while ((size = ::syscall(SYS_getdents64, processes, buffer, sizeof buffer)) > 0) {
    for (long at = 0; at < size;) {
      const char* const entry = buffer + at;
      std::uint16_t length = 0;
      std::memcpy(&length, entry + offsetof(Entry, size), sizeof length);
      const char* const name = entry + offsetof(Entry, name);
      const pid_t pid = pid_from(name);
      if (pid > 0 && parent_of(processes, name) == self && ::kill(pid, SIGKILL) == 0) ++killed;
      at += length;
    }
  }
  ::close(processes);
  return size < 0 ? -1 : killed;
}

}  // namespace

void reap_orphans(pid_t spared) {
  for (;;) {
    siginfo_t info{};
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return;
    // Its end has a signal of its own, which comes back here once the server is no longer to be spared.
    if (info.si_pid == spared) return;
    ::waitpid(info.si_pid, nullptr, WNOHANG);
  }
}

void end_all_children() {
  int fruitless = 0;
  while (fruitless < fruitless_rounds_max) {
    const int killed = kill_children();
    // Each of those killed ends soon, so that waiting for as many ends is safe.
    for (int i = 0; i < killed; ++i)
      while (::waitpid(-1, nullptr, 0) < 0 && errno == EINTR) {
      }
    const pid_t reaped = ::waitpid(-1, nullptr, WNOHANG);
    if (reaped < 0 && errno != EINTR) return;  // no child is left
    // A child may just have been reparented, or may not be ours to kill (it changed its user), or /proc is
    // not there.
    if (killed > 0 || reaped > 0) {
      fruitless = 0;
    } else {
      ++fruitless;
      ::poll(nullptr, 0, 5);
    }
  }
}

}  // namespace transports::keeper
