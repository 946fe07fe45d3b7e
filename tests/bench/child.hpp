#pragma once
// A command with a pipe on its input and one on its output, for benchmarks and whole-program tests.
// Errors end the test program: throws std::runtime_error.

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

class Child {
 public:
  // argv; [0] is looked up in PATH. Environment, folder and stderr are ours. The child gets no other
  // descriptor that is close-on-exec, and stays in our process group.
  explicit Child(const std::vector<std::string>& command);
  // Kills what still runs, and reaps it.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Writes all of it. False: nobody reads any more.
  bool write(std::string_view bytes);
  // The next line without its newline, valid until the next call; nullopt at end of output. Blocks.
  std::optional<std::string_view> read_line();
  // The same, but gives up at the deadline (throws).
  std::optional<std::string_view> read_line(std::chrono::steady_clock::time_point deadline);
  void close_input();
  void kill(int signal_number);
  // The wait status, or nullopt when it still runs after `patience`.
  std::optional<int> wait(std::chrono::milliseconds patience);

  pid_t pid() const { return pid_; }
  int output() const { return output_; }

 private:
  bool fill();  // false at end of output
  std::optional<std::string_view> buffered_line();

  pid_t pid_ = -1;
  bool reaped_ = false;
  int status_ = 0;
  int input_ = -1;
  int output_ = -1;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;    // first byte not yet given out
  std::size_t scanned_ = 0;  // no newline in [begin_, scanned_)
  std::size_t end_ = 0;
};

// A number that follows `key` (`VmRSS:`) in /proc/PID/status, in KB; 0 when there is none.
long status_kilobytes(pid_t pid, std::string_view key);

}  // namespace bench
