#include "examples/agent/peer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>

namespace agent {

namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
    read_end = ends[0];
    write_end = ends[1];
  }
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> made;
  for (std::string& text : texts) made.push_back(text.data());
  made.push_back(nullptr);
  return made;
}

int left(Deadline deadline) {
  const auto rest =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
  return static_cast<int>(std::max<long>(0, std::min<long>(rest, 3600'000)));
}

}  // namespace

Peer::Peer(const Start& start) {
  std::vector<std::string> words = start.command;
  std::vector<std::string> variables;
  for (const auto& [name, value] : start.environment) variables.push_back(name + "=" + value);
  const Pipe input, output;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (start.input)
    posix_spawn_file_actions_adddup2(&actions, input.read_end, 0);
  else
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write_end, 1);
  if (!start.errors_file.empty()) {
    posix_spawn_file_actions_addopen(&actions, 2, start.errors_file.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                     0600);
  }
  if (!start.directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, start.directory.c_str());
  const int error = posix_spawnp(&pid_, words.at(0).c_str(), &actions, nullptr, pointers(words).data(),
                                 pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  close(input.read_end);
  close(output.write_end);
  input_ = input.write_end;
  output_ = output.read_end;
  fcntl(input_, F_SETFL, O_NONBLOCK);
  if (error != 0) {
    pid_ = -1;
    close(input_);
    close(output_);
    throw std::runtime_error("cannot start `" + words[0] + "`: " + std::strerror(error));
  }
}

Peer::~Peer() {
  end_input();
  if (output_ >= 0) close(output_);
  if (pid_ <= 0 || status_) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void Peer::read_some() {
  char piece[65536];
  const ssize_t count = read(output_, piece, sizeof piece);
  if (count < 0 && errno == EINTR) return;
  if (count > 0) {
    buffer_.append(piece, static_cast<std::size_t>(count));
    return;
  }
  close(output_);
  output_ = -1;
}

bool Peer::write_line(const std::string& line) {
  const std::string bytes = line + "\n";
  std::size_t done = 0;
  while (input_ >= 0 && done < bytes.size()) {
    pollfd watched[2] = {{input_, POLLOUT, 0}, {output_, POLLIN, 0}};
    poll(watched, 2, -1);
    if (watched[1].revents != 0) read_some();
    if (watched[0].revents == 0) continue;
    const ssize_t count = write(input_, bytes.data() + done, bytes.size() - done);
    if (count > 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EAGAIN && errno != EINTR)
      end_input();
  }
  return done == bytes.size();
}

void Peer::end_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

std::optional<std::string> Peer::read_line(Deadline deadline) {
  while (true) {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      searched_ = 0;
      return line;
    }
    searched_ = buffer_.size();
    if (output_ < 0) return std::nullopt;
    pollfd watched{output_, POLLIN, 0};
    if (poll(&watched, 1, left(deadline)) == 0) return std::nullopt;
    read_some();
  }
}

std::optional<int> Peer::wait(Deadline deadline) {
  while (!status_) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    } else if (left(deadline) == 0) {
      return std::nullopt;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  return status_;
}

void Peer::signal(int number) {
  if (!status_) kill(pid_, number);
}

Environment own_environment() {
  Environment found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) found[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return found;
}

Ran run_shell(const std::string& command, const Environment& environment, const std::string& directory,
              Deadline deadline) {
  Start start{{"/bin/sh", "-c", command}, environment, directory, {}, false};
  Peer shell(start);
  Ran ran;
  while (auto line = shell.read_line(deadline)) ran.output += *line + "\n";
  ran.output += shell.take_rest();
  ran.status = shell.wait(deadline).value_or(-1);
  return ran;
}

}  // namespace agent
