#include "tests/bench/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

extern char** environ;

namespace bench {
namespace {

constexpr std::size_t read_bytes = 64 * 1024;  // what a pipe holds

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

void make_pipe(int (&ends)[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe");
}

}  // namespace

Child::Child(const std::vector<std::string>& command) {
  if (command.empty()) throw std::runtime_error("no command given");
  int to_child[2], from_child[2];
  make_pipe(to_child);
  make_pipe(from_child);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to_child[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from_child[1], STDOUT_FILENO);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const int error = posix_spawnp(&pid_, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(to_child[0]);
  close(from_child[1]);
  input_ = to_child[1];
  output_ = from_child[0];
  if (error != 0) {
    close(input_);
    close(output_);
    errno = error;
    fail("cannot start `" + command[0] + "`");
  }
}

Child::~Child() {
  close_input();
  close(output_);
  if (!reaped_) {
    ::kill(pid_, SIGKILL);
    waitpid(pid_, &status_, 0);
  }
}

bool Child::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(input_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EPIPE) return false;
    if (count < 0) fail("cannot write to the child");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool Child::fill() {
  if (begin_ == end_) begin_ = scanned_ = end_ = 0;
  if (buffer_.size() - end_ < read_bytes) {
    if (begin_ > 0) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      scanned_ -= begin_;
      begin_ = 0;
    }
    if (buffer_.size() - end_ < read_bytes) buffer_.resize(buffer_.size() * 2 + 2 * read_bytes);
  }
  ssize_t count;
  do count = read(output_, buffer_.data() + end_, read_bytes);
  while (count < 0 && errno == EINTR);
  if (count < 0) fail("cannot read from the child");
  end_ += static_cast<std::size_t>(count);
  return count > 0;
}

std::optional<std::string_view> Child::buffered_line() {
  const char* from = buffer_.data() + scanned_;
  const void* newline = end_ == scanned_ ? nullptr : std::memchr(from, '\n', end_ - scanned_);
  scanned_ = end_;
  if (newline == nullptr) return std::nullopt;
  const std::size_t stop = static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.data());
  const std::string_view line(buffer_.data() + begin_, stop - begin_);
  begin_ = scanned_ = stop + 1;
  return line;
}

std::optional<std::string_view> Child::read_line() {
  while (true) {
    if (auto line = buffered_line()) return line;
    if (!fill()) return std::nullopt;
  }
}

std::optional<std::string_view> Child::read_line(std::chrono::steady_clock::time_point deadline) {
  while (true) {
    if (auto line = buffered_line()) return line;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd waiting{output_, POLLIN, 0};
    const int ready = poll(&waiting, 1, left.count() < 0 ? 0 : static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) throw std::runtime_error("no answer from the child in time");
    if (!fill()) return std::nullopt;
  }
}

void Child::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

void Child::kill(int signal_number) {
  if (!reaped_) ::kill(pid_, signal_number);
}

std::optional<int> Child::wait(std::chrono::milliseconds patience) {
  if (reaped_) return status_;
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (descriptor < 0) fail("cannot watch the child");
  pollfd waiting{descriptor, POLLIN, 0};
  const int ready = poll(&waiting, 1, static_cast<int>(patience.count()));
  close(descriptor);
  if (ready <= 0) return std::nullopt;
  waitpid(pid_, &status_, 0);
  reaped_ = true;
  return status_;
}

long status_kilobytes(pid_t pid, std::string_view key) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  std::string word;
  long value = 0;
  while (status >> word)
    if (word == key && status >> value) return value;
  return 0;
}

}  // namespace bench
