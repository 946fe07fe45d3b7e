#pragma once
// A program that is talked to in lines over its stdin and stdout. Its stderr is ours, or a file's.

#include <sys/types.h>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace agent {

using Deadline = std::chrono::steady_clock::time_point;
using Environment = std::map<std::string, std::string>;

struct Start {
  std::vector<std::string> command;
  Environment environment;
  std::string directory;    // empty: ours
  std::string errors_file;  // stderr goes there; empty: to ours
  bool input = true;        // false: stdin is /dev/null
};

class Peer {
 public:
  // Throws std::runtime_error when it cannot be started.
  explicit Peer(const Start& start);
  ~Peer();  // kills it when it still runs
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // False when it does not read any more. Reads what it answers meanwhile, so that neither waits for the
  // other.
  bool write_line(const std::string& line);
  void end_input();
  // The next line; nothing at the deadline or at the end of its output.
  std::optional<std::string> read_line(Deadline deadline);
  // What the last line had no newline after; for output that is not in lines.
  std::string take_rest() {
    searched_ = 0;
    return std::exchange(buffer_, {});
  }
  bool output_ended() const { return output_ < 0; }
  // Exit code, or 128 + signal; nothing when it still runs at the deadline.
  std::optional<int> wait(Deadline deadline);
  void signal(int number);

 private:
  void read_some();

  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string buffer_;
  std::size_t searched_ = 0;
  std::optional<int> status_;
};

// The environment of this process.
Environment own_environment();

struct Ran {
  int status = -1;  // -1: it did not end in time
  std::string output;
};
// `command` in /bin/sh with stdin from /dev/null.
Ran run_shell(const std::string& command, const Environment& environment, const std::string& directory,
              Deadline deadline);

}  // namespace agent
