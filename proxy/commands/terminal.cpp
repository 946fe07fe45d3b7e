#include "proxy/commands/terminal.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

namespace proxy::commands {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};

int signal_pipe = -1;  // all that a signal handler can reach

void on_signal(int) {
  const int before = errno;
  const char byte = 0;
  static_cast<void>(!::write(signal_pipe, &byte, 1));
  errno = before;
}

}  // namespace

base::Result<void> RawTerminal::begin() {
  if (::tcgetattr(STDIN_FILENO, &before_) != 0)
    return base::errno_error("cannot read the terminal's settings", errno);
  if (::pipe2(pipe_, O_CLOEXEC | O_NONBLOCK) != 0) return base::errno_error("cannot make a pipe", errno);
  signal_pipe = pipe_[1];
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (std::size_t i = 0; i < 3; ++i) ::sigaction(signals[i], &action, &actions_before_[i]);
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  raw.c_cc[VSUSP] = _POSIX_VDISABLE;  // stopped, it would leave the terminal without echo
  changed_ = true;
  // What was typed before the first ask was shown answers nothing.
  if (::tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) != 0)
    return base::errno_error("cannot set the terminal", errno);
  return {};
}

RawTerminal::~RawTerminal() {
  if (changed_) {
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
    for (std::size_t i = 0; i < 3; ++i) ::sigaction(signals[i], &actions_before_[i], nullptr);
  }
  signal_pipe = -1;
  for (const int end : pipe_)
    if (end >= 0) ::close(end);
}

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

std::size_t terminal_height() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return 24;
  return size.ws_row;
}

}  // namespace proxy::commands
