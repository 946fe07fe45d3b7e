#include "transports/keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>

#include "transports/keeper_reap.hpp"

namespace transports::keeper {
namespace {

void tell(int control, const Report& report) {
  while (::send(control, &report, sizeof report, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

void close_between(int first, int last) {
  if (first > last) return;
  if (::close_range(static_cast<unsigned>(first), static_cast<unsigned>(last), 0) == 0) return;
  struct rlimit limit {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const int end = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 65536)) - 1;
  for (int number = first; number <= std::min(last, end); ++number) ::close(number);
}

// Closes all that is not in `kept`, callgate's standard streams too: whoever waits for their end must not
// wait for us.
void keep_only(int* kept, std::size_t count) {
  std::sort(kept, kept + count);
  int next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    close_between(next, kept[i] - 1);
    next = kept[i] + 1;
  }
  close_between(next, INT32_MAX);
  // So that nothing opened later gets the number of a standard stream.
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int number = 0; number < 3; ++number)
    if (nothing >= 0 && nothing != number) ::dup2(nothing, number);
}

void set_dispositions(const int* ignored, std::size_t count) {
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  for (std::size_t i = 0; i < count; ++i) ::signal(ignored[i], SIG_IGN);
}

[[noreturn]] void give_up(const Orders& orders, Step step) {
  const Report report{News::failed, step, errno};
  while (::write(orders.exec_write, &report, sizeof report) < 0 && errno == EINTR) {
  }
  ::_exit(127);
}

// Tries the candidates as execvp() does: one that may not be run does not hide a later one.
int execute(const Orders& orders) {
  int reason = ENOENT;
  for (const char* const* program = orders.programs; *program != nullptr; ++program) {
    ::execve(*program, orders.arguments, orders.environment);
    if (errno == ENOEXEC) {
      orders.script_arguments[1] = const_cast<char*>(*program);
      ::execve("/bin/sh", orders.script_arguments, orders.environment);
      return ENOEXEC;
    }
    if (errno == EACCES)
      reason = EACCES;
    else if (errno != ENOENT && errno != ENOTDIR)
      return errno;
  }
  return reason;
}

[[noreturn]] void become_server(const Orders& orders, pid_t keeper) {
  // SIGKILL when the keeper dies; if it died before this line, its pid is not our parent's any more.
  if (::setpgid(0, 0) != 0 || ::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(orders, Step::group);
  if (::getppid() != keeper) ::_exit(127);
  if (::dup2(orders.input, 0) < 0 || ::dup2(orders.output, 1) < 0 || ::dup2(orders.errors, 2) < 0)
    give_up(orders, Step::descriptors);
  if (orders.directory != nullptr && ::chdir(orders.directory) != 0) give_up(orders, Step::directory);
  ::close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);  // a second lock: all that is left was opened close-on-exec
  set_dispositions(nullptr, 0);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  errno = execute(orders);
  give_up(orders, Step::program);
}

// The server's pid while it is ours to signal: until it is reaped, no other process can have its number.
class Watch {
 public:
  Watch(int control, pid_t server) : control_(control), server_(server) {}

  void signal_group(int signal_number) const {
    if (server_ > 0) ::kill(-server_, signal_number);
  }

  // Reaps orphans, and the server: its group is ended while its unreaped pid still holds the group's number.
  void reap() {
    siginfo_t info{};
    if (server_ > 0 && ::waitid(P_PID, static_cast<id_t>(server_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == server_) {
      ::kill(-server_, SIGKILL);
      int status = 0;
      ::waitpid(server_, &status, 0);
      server_ = 0;
      tell(control_, {News::ended, Step::none, status});
    }
    reap_orphans(server_);
  }

 private:
  int control_;
  pid_t server_;
};

[[noreturn]] void watch(int control, int signals, pid_t server) {
  Watch server_watch(control, server);
  for (;;) {
    struct pollfd waits[2] = {{control, POLLIN, 0}, {signals, POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) break;
    if ((waits[1].revents & POLLIN) != 0) {
      struct signalfd_siginfo ignored {};
      while (::read(signals, &ignored, sizeof ignored) > 0) {
      }
      server_watch.reap();
    }
    if (waits[0].revents == 0) continue;
    Command command;
    const ssize_t size = ::recv(control, &command, sizeof command, MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (size != sizeof command) break;  // callgate has ended, or is done with us
    server_watch.signal_group(command.signal_number);
  }
  server_watch.signal_group(SIGKILL);
  end_all_children();
  ::_exit(0);
}

[[noreturn]] void fail(const Orders& orders, Step step) {
  tell(orders.control, {News::failed, step, errno});
  ::_exit(1);
}

}  // namespace

void run(const Orders& orders) {
  // Out of the reach of Ctrl-C and of signals to callgate's group; what asks callgate to end is not asking
  // us.
  ::setsid();
  constexpr int ignored[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE, SIGUSR1,
                             SIGUSR2, SIGALRM, SIGTSTP, SIGTTIN, SIGTTOU};
  set_dispositions(ignored, sizeof ignored / sizeof ignored[0]);
  sigset_t child_signal;
  ::sigemptyset(&child_signal);
  ::sigaddset(&child_signal, SIGCHLD);
  ::sigprocmask(SIG_SETMASK, &child_signal, nullptr);
  int kept[] = {orders.control, orders.input,     orders.output,
                orders.errors,  orders.exec_read, orders.exec_write};
  keep_only(kept, sizeof kept / sizeof kept[0]);
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) fail(orders, Step::keeper);
  // What callgate had in memory is here too; a server of the same user must not read it.
  ::prctl(PR_SET_DUMPABLE, 0);
  ::prctl(PR_SET_NAME, "callgate-keeper");
  const int signals = ::signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0) fail(orders, Step::keeper);

  const pid_t self = ::getpid();
  const pid_t server = ::fork();
  if (server < 0) fail(orders, Step::fork);
  if (server == 0) become_server(orders, self);
  ::setpgid(server, server);  // both sides set it: neither has to wait for the other
  ::close(orders.input);
  ::close(orders.output);
  ::close(orders.errors);
  ::close(orders.exec_write);
  if (::chdir("/") != 0) fail(orders, Step::keeper);

  Report report;
  ssize_t size = 0;
  while ((size = ::read(orders.exec_read, &report, sizeof report)) < 0 && errno == EINTR) {
  }
  ::close(orders.exec_read);
  if (size == sizeof report) {
    ::waitpid(server, nullptr, 0);
    tell(orders.control, report);
    ::_exit(1);
  }
  tell(orders.control, {News::started, Step::none, server});
  watch(orders.control, signals, server);
}

}  // namespace transports::keeper
