// The shell command of the tool run_command, as a job.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "examples/workshop/job.hpp"

namespace workshop {

namespace {

constexpr std::size_t output_bytes_max = 1u << 20;
// The shell may end while something it left behind still holds the pipe: its end is looked for this often.
constexpr std::chrono::milliseconds look_every{2};

class Command final : public Job {
 public:
  Command(pid_t shell, int output) : shell_(shell), output_(output) {}
  ~Command() override {
    if (output_ >= 0) close(output_);
    if (shell_ <= 0) return;
    kill(-shell_, SIGKILL);
    waitpid(shell_, nullptr, 0);
  }

  int descriptor() const override { return output_; }
  Time due() const override { return std::chrono::steady_clock::now() + look_every; }

  std::optional<std::string> step(std::string&) override {
    int status = 0;
    const pid_t ended = waitpid(shell_, &status, WNOHANG);
    drain();
    if (ended != shell_) return std::nullopt;
    shell_ = -1;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result(code);
  }

 private:
  void drain() {
    char piece[65536];
    while (output_ >= 0) {
      const ssize_t count = read(output_, piece, sizeof piece);
      if (count < 0) return;  // nothing there now
      if (count == 0) {
        close(output_);
        output_ = -1;
        return;
      }
      const std::size_t room = output_bytes_max - std::min(output_bytes_max, text_.size());
      cut_ = cut_ || static_cast<std::size_t>(count) > room;
      text_.append(piece, std::min(room, static_cast<std::size_t>(count)));
    }
  }

  std::string result(int code) const {
    std::string shown = text_;
    if (!shown.empty() && shown.back() != '\n') shown += '\n';
    if (cut_) shown += "[more was printed than 1 MiB]\n";
    shown += "[exit code " + std::to_string(code) + "]";
    std::string made = R"({"content":[{"type":"text","text":)" + json_string(shown) +
                       R"(}],"structuredContent":{"output":)" + json_string(text_) + R"(,"exit_code":)" +
                       std::to_string(code) + "}";
    made += code == 0 ? "}" : R"(,"isError":true})";
    return made;
  }

  pid_t shell_;
  int output_;
  std::string text_;
  bool cut_ = false;
};

[[noreturn]] void become_shell(int output, const char* command, const char* directory) {
  setpgid(0, 0);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, 0);
  dup2(output, 1);
  dup2(output, 2);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  if (*directory != '\0' && chdir(directory) != 0) {
    dprintf(2, "cannot enter the directory: %s\n", std::strerror(errno));
    _exit(126);
  }
  execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
  _exit(127);
}

}  // namespace

std::unique_ptr<Job> start_command(const std::string& command, const std::string& directory,
                                   std::string& error) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    error = std::strerror(errno);
    return nullptr;
  }
  const pid_t shell = fork();
  if (shell == 0) become_shell(ends[1], command.c_str(), directory.c_str());
  close(ends[1]);
  if (shell < 0) {
    error = std::strerror(errno);
    close(ends[0]);
    return nullptr;
  }
  setpgid(shell, shell);  // in both: whoever comes first
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return std::make_unique<Command>(shell, ends[0]);
}

}  // namespace workshop
