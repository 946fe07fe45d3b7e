// workshop: a small MCP server over stdio, for the quickstart, the tests and the benchmarks.
// One thread: it reads lines, answers them, and polls the calls that take time.

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

#include "examples/workshop/server.hpp"

namespace {

constexpr std::size_t line_bytes_max = 128u << 20;
constexpr int exit_died = 7;

bool write_all(int descriptor, std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    done += static_cast<std::size_t>(count);
  }
  bytes.clear();
  return true;
}

// Waits until there is input, or something for a job to do. Whether there is input.
bool wait(const workshop::Server& server) {
  if (server.jobs().empty()) return true;  // read() itself waits
  std::vector<pollfd> watched{{STDIN_FILENO, POLLIN, 0}};
  workshop::Time due = workshop::Time::max();
  for (const auto& running : server.jobs()) {
    due = std::min(due, running.job->due());
    if (running.job->descriptor() >= 0) watched.push_back({running.job->descriptor(), POLLIN, 0});
  }
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(due - std::chrono::steady_clock::now()).count();
  poll(watched.data(), watched.size(), static_cast<int>(std::clamp<long>(left, 0, 60000)));
  return watched[0].revents != 0;
}

// Takes the whole lines out of `buffer`, whose first `searched` bytes hold no newline. False: the server must
// die.
bool take_lines(workshop::Server& server, std::string& buffer, std::size_t searched, int log) {
  std::size_t start = 0;
  for (std::size_t end = 0; (end = buffer.find('\n', std::max(start, searched))) != std::string::npos;
       start = end + 1) {
    std::string line = buffer.substr(start, end - start);
    if (log >= 0) {
      std::string logged = line + "\n";
      write_all(log, logged);
    }
    if (line.find_first_not_of(" \t\r") != std::string::npos) server.take(line);
    if (server.must_die()) return false;
  }
  buffer.erase(0, start);
  return true;
}

void leave_a_sleeper() {
  if (fork() != 0) return;
  setsid();
  if (fork() != 0) _exit(0);
  execlp("sleep", "sleep", "120", static_cast<char*>(nullptr));
  _exit(127);
}

int serve(const workshop::Options& options) {
  const int log =
      options.log.empty() ? -1 : open(options.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  workshop::Server server(options);
  std::string buffer;
  std::vector<char> piece(1u << 16);
  while (true) {
    if (wait(server)) {
      const ssize_t count = read(STDIN_FILENO, piece.data(), piece.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return 0;
      const std::size_t searched = buffer.size();
      buffer.append(piece.data(), static_cast<std::size_t>(count));
      if (buffer.size() > line_bytes_max) return 1;
      const bool alive = take_lines(server, buffer, searched, log);
      if (!alive) {
        write_all(STDOUT_FILENO, server.output());
        return exit_died;
      }
    }
    server.step_jobs();
    if (!server.output().empty() && !write_all(STDOUT_FILENO, server.output())) return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = workshop::read_options(argc, argv);
  if (!options) return 2;
  signal(SIGPIPE, SIG_IGN);
  if (options->ignore_term) signal(SIGTERM, SIG_IGN);
  if (options->spawn) leave_a_sleeper();
  const int exit = serve(*options);
  while (options->ignore_eof && exit == 0) pause();
  return exit;
}
