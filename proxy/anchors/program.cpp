#include "proxy/anchors/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "proxy/base/file.hpp"
#include "proxy/base/text.hpp"

namespace proxy::anchors {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t output_bytes_max = 64u << 20;
constexpr std::size_t said_bytes_max = 4096;
// Of our own environment: where programs, keys and agents are found.
constexpr std::array passed_on{"PATH", "HOME", "SSH_AUTH_SOCK", "XDG_RUNTIME_DIR", "USER"};

struct Pipe {
  base::Descriptor read, write;
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read.reset(ends[0]);
    write.reset(ends[1]);
    return true;
  }
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

class Run {
 public:
  explicit Run(const Program& program) : program_(program) {}
  ~Run() {
    if (pid_ <= 0) return;
    ::kill(-pid_, SIGKILL);  // with what it has started
    ::waitpid(pid_, nullptr, 0);
  }

  base::Result<std::string> to_the_end() {
    if (!in_.open() || !out_.open() || !err_.open()) return base::errno_error("cannot make a pipe", errno);
    if (auto started = start(); !started) return started.error();
    if (!talk(Clock::now() + program_.limit))
      return base::Error(base::Code::unavailable,
                         name() + " did not end within " + std::to_string(program_.limit.count()) + " ms");
    int status = 0;
    ::waitpid(std::exchange(pid_, 0), &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::move(output_);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && output_.empty())
      return base::Error(base::Code::unavailable, "no program " + name());
    return base::Error(base::Code::io, name() + " failed: " + base::printable(said_, 300));
  }

 private:
  std::string name() const { return base::quoted(program_.words.front()); }

  base::Result<void> start() {
    std::vector<std::string> words = program_.words, variables = program_.environment;
    for (const char* each : passed_on)
      if (const char* value = std::getenv(each)) variables.push_back(std::string(each) + "=" + value);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&files, in_.read.get(), 0);
    posix_spawn_file_actions_adddup2(&files, out_.write.get(), 1);
    posix_spawn_file_actions_adddup2(&files, err_.write.get(), 2);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    const int failed = ::posix_spawnp(&pid_, words.front().c_str(), &files, &attributes,
                                      pointers(words).data(), pointers(variables).data());
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    in_.read.reset();
    out_.write.reset();
    err_.write.reset();
    if (failed == 0) return {};
    pid_ = 0;
    return base::Error(base::Code::unavailable, "no program " + name());
  }

  // False: the time was up.
  bool talk(Clock::time_point limit) {
    ::fcntl(in_.write.get(), F_SETFL, O_NONBLOCK);
    if (program_.input.empty()) in_.write.reset();
    while (out_.read || err_.read) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(limit - Clock::now()).count();
      std::array<pollfd, 3> waits{{{out_.read ? out_.read.get() : -1, POLLIN, 0},
                                   {err_.read ? err_.read.get() : -1, POLLIN, 0},
                                   {in_.write ? in_.write.get() : -1, POLLOUT, 0}}};
      if (left <= 0 || ::poll(waits.data(), waits.size(), static_cast<int>(left)) == 0) return false;
      if (waits[0].revents != 0 && !take(out_.read, output_, output_bytes_max)) return false;
      if (waits[1].revents != 0) take(err_.read, said_, said_bytes_max);
      if (waits[2].revents != 0) give();
    }
    return true;
  }

  // False: more than is taken. What it says on stderr is read on and forgotten.
  static bool take(base::Descriptor& from, std::string& to, std::size_t most) {
    std::array<char, 65536> bytes{};
    const ssize_t count = ::read(from.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) return from.reset(), true;
    const std::size_t room = most - to.size();
    to.append(bytes.data(), std::min(room, static_cast<std::size_t>(count)));
    return static_cast<std::size_t>(count) <= room;
  }

  void give() {
    const ssize_t count =
        ::write(in_.write.get(), program_.input.data() + given_, program_.input.size() - given_);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count > 0) given_ += static_cast<std::size_t>(count);
    if (count < 0 || given_ == program_.input.size()) in_.write.reset();
  }

  const Program& program_;
  Pipe in_, out_, err_;
  pid_t pid_ = 0;
  std::size_t given_ = 0;
  std::string output_, said_;
};

}  // namespace

base::Result<std::string> run(const Program& program) { return Run(program).to_the_end(); }

}  // namespace proxy::anchors
