#pragma once
// The process between callgate and a server (child_process.hpp). Forked from callgate and never executes
// anything, so only async-signal-safe calls and bare system calls are made here: no allocation, no locks, no
// exceptions.

#include <string>
#include <vector>

namespace transports::keeper {

// Everything prepared before the fork. Descriptors are 3 or more.
struct Orders {
  int control = -1;  // SOCK_SEQPACKET to callgate
  int input = -1;    // the server's ends
  int output = -1;
  int errors = -1;
  int exec_read = -1;  // closes when the server's program has started
  int exec_write = -1;
  const char* directory = nullptr;        // nullptr: ours
  const char* const* programs = nullptr;  // candidates in the order of PATH
  char* const* arguments = nullptr;
  char** script_arguments =
      nullptr;  // `sh`, room for the program, the other arguments: for scripts without `#!`
  char* const* environment = nullptr;
};

// keeper → callgate
enum class News : int { started, failed, ended };
// What failed on the way to a running server.
enum class Step : int { none, keeper, fork, group, descriptors, directory, program };

struct Report {
  News news = News::failed;
  Step step = Step::none;
  int value = 0;  // started: pid; failed: errno; ended: wait status
};

// callgate → keeper: the signal for the server's group. The closing of the socket ends everything.
struct Command {
  int signal_number = 0;
};

[[noreturn]] void run(const Orders& orders);

}  // namespace transports::keeper
