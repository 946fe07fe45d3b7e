// The first creation of a ledger, killed before each of its steps: the next opening completes it.

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <set>

#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

using ledger::Writer;

bool is_step(std::uint64_t call) {
  static const std::set<std::uint64_t> steps{SYS_openat, SYS_write,     SYS_pwrite64, SYS_ftruncate,
                                             SYS_fsync,  SYS_fdatasync, SYS_flock,    SYS_fallocate,
#ifdef SYS_mkdir
                                             SYS_mkdir,  SYS_unlink,
#endif
                                             SYS_mkdirat};
  return steps.contains(call);
}

enum class End { killed, completed, no_tracing };

// Opens in a process of its own, which is killed as it begins the step of that number.
End open_and_kill(const ledger::Place& place, int step) {
  const pid_t child = scratch::spawn([&] {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) return 3;
    ::raise(SIGSTOP);
    return Writer::open(place, scratch::options()).has_value() ? 0 : 4;
  });
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return End::no_tracing;
  ::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD);
  for (int seen = 0;;) {
    if (::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr) != 0 || ::waitpid(child, &status, 0) != child)
      return End::no_tracing;
    if (!WIFSTOPPED(status)) return End::completed;
    struct __ptrace_syscall_info call {};
    if (::ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof call, &call) <= 0) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return End::no_tracing;
    }
    if (call.op != PTRACE_SYSCALL_INFO_ENTRY || !is_step(call.entry.nr) || seen++ < step) continue;
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    return End::killed;
  }
}

TEST_CASE("a ledger whose creation is killed before any of its steps is completed by the next opening") {
  int step = 0;
  for (End end = End::killed; end == End::killed; ++step) {
    INFO("killed before step " << step);
    const scratch::Folder folder;
    end = open_and_kill(folder.place(), step);
    if (end == End::no_tracing) {
      WARN("skipped: a child cannot be traced here");
      return;
    }
    const auto writer = Writer::open(folder.place(), scratch::options());
    if (!writer) FAIL(writer.error().message());
    REQUIRE((*writer)->append_now(scratch::one(scratch::decision("m", "ALLOW"))).has_value());
    REQUIRE(scratch::broken_chain(scratch::all_records(folder.place())).empty());
  }
  CHECK(step > 30);
}

}  // namespace
