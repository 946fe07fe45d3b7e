#include "transports/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "proxy/base/text.hpp"
#include "transports/keeper.hpp"
#include "transports/keeper_reap.hpp"

namespace transports {
namespace {

using base::Code;
using base::Descriptor;
using base::Error;
using base::Result;

constexpr int keeper_end_milliseconds_max = 5000;

// Away from the numbers of the standard streams, which the child puts in place one after the other.
bool lift(Descriptor& descriptor) {
  if (descriptor.get() > 2) return true;
  descriptor.reset(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 3));
  return static_cast<bool>(descriptor);
}

struct Pair {
  Descriptor first;   // reads, of a pipe
  Descriptor second;  // writes
};

Result<Pair> made(int result, const int (&ends)[2], const char* what) {
  const int reason = errno;
  Pair pair;
  if (result == 0) {
    pair.first.reset(ends[0]);
    pair.second.reset(ends[1]);
    if (lift(pair.first) && lift(pair.second)) return pair;
  }
  return base::errno_error(std::string("cannot make a ") + what, result == 0 ? errno : reason);
}

Result<Pair> make_pipe() {
  int ends[2];
  const int result = ::pipe2(ends, O_CLOEXEC);
  return made(result, ends, "pipe");
}

Result<Pair> make_socket() {
  int ends[2];
  const int result = ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
  return made(result, ends, "socket pair");
}

std::vector<std::string> candidates(const ChildOptions& options) {
  const std::string& program = options.command.front();
  if (program.find('/') != std::string::npos) return {program};
  const auto found = options.environment.find("PATH");
  const std::string path = found == options.environment.end() ? "/bin:/usr/bin" : found->second;
  std::vector<std::string> list;
  for (std::size_t at = 0;;) {
    const std::size_t colon = path.find(':', at);
    const std::string folder = path.substr(at, colon - at);
    list.push_back(folder.empty() ? "./" + program : folder + "/" + program);
    if (colon == std::string::npos) return list;
    at = colon + 1;
  }
}

// The strings as execve() wants them. Lives in the parent; the fork has its own copy.
class Strings {
 public:
  explicit Strings(std::vector<std::string> texts) : texts_(std::move(texts)) {
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
  }
  char** get() { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

bool has_nul(const ChildOptions& options) {
  const auto nul = [](const std::string& text) { return text.find('\0') != std::string::npos; };
  for (const std::string& argument : options.command)
    if (nul(argument)) return true;
  for (const auto& [name, value] : options.environment)
    if (nul(name) || nul(value) || name.empty() || name.find('=') != std::string::npos) return true;
  return nul(options.directory);
}

// Every signal is held off around the fork, or a handler of callgate's could run in the keeper.
pid_t fork_keeper(const keeper::Orders& orders) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid == 0) keeper::run(orders);
  const int reason = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = reason;
  return pid;
}

Error start_error(const keeper::Report& report, const ChildOptions& options) {
  const std::string program = base::quoted(options.command.front());
  switch (report.step) {
    case keeper::Step::none:
    case keeper::Step::keeper:
      return base::errno_error("cannot set up the keeper of " + program, report.value);
    case keeper::Step::fork: return base::errno_error("cannot fork for " + program, report.value);
    case keeper::Step::group:
      return base::errno_error("cannot make a process group for " + program, report.value);
    case keeper::Step::descriptors:
      return base::errno_error("cannot connect the pipes of " + program, report.value);
    case keeper::Step::directory:
      return base::errno_error("cannot enter the folder " + base::quoted(options.directory), report.value);
    case keeper::Step::program: break;
  }
  if (report.value != ENOENT) return base::errno_error("cannot run " + program, report.value);
  const bool path = options.command.front().find('/') != std::string::npos;
  return {Code::not_found,
          "no program " + program + (path ? ", or its interpreter is missing" : " in `PATH`")};
}

Result<keeper::Report> receive(int control, int flags) {
  keeper::Report report;
  ssize_t size = 0;
  while ((size = ::recv(control, &report, sizeof report, flags)) < 0 && errno == EINTR) {
  }
  if (size == sizeof report) return report;
  if (size < 0 && errno == EAGAIN) return Error(Code::conflict, "the server still runs");
  return Error(Code::unavailable, "the keeper of the server is gone");
}

// Its end follows the closing of the control socket. Bounded: a process that the kernel cannot end must not
// hold us. False: it was killed, or has not ended.
bool await_keeper(pid_t keeper) {
  const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, keeper, 0)));
  struct pollfd wait {
    handle.get(), POLLIN, 0
  };
  if (handle)
    while (::poll(&wait, 1, keeper_end_milliseconds_max) < 0 && errno == EINTR) {
    }
  int status = -1;
  while (::waitpid(keeper, &status, handle ? WNOHANG : 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status);
}

}  // namespace

struct ChildProcess::State {
  Descriptor control;
  pid_t keeper = 0;
  pid_t server = 0;

  State(Descriptor socket, pid_t keeper_pid) : control(std::move(socket)), keeper(keeper_pid) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    control.reset();
    // What it kept is ours then, since we are a subreaper too.
    if (!await_keeper(keeper)) keeper::end_all_children();
  }
};

ChildProcess::ChildProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;
ChildProcess& ChildProcess::operator=(ChildProcess&&) noexcept = default;
ChildProcess::~ChildProcess() = default;

Result<ChildProcess> ChildProcess::start(const ChildOptions& options) {
  if (options.command.empty() || options.command.front().empty())
    return Error(Code::invalid, "no command to run");
  if (has_nul(options))
    return Error(Code::invalid,
                 "the command, folder or environment of a server has a NUL, or a variable no proper name");
  auto in = make_pipe();
  auto out = make_pipe();
  auto err = make_pipe();
  auto exec = make_pipe();
  auto control = make_socket();
  for (const auto* pair : {&in, &out, &err, &exec, &control})
    if (!*pair) return pair->error();

  std::vector<std::string> variables;
  for (const auto& [name, value] : options.environment) variables.push_back(name + "=" + value);
  std::vector<std::string> script = {"sh", ""};
  script.insert(script.end(), options.command.begin() + 1, options.command.end());
  Strings programs(candidates(options));
  Strings arguments(options.command);
  Strings script_arguments(std::move(script));
  Strings environment(std::move(variables));
  keeper::Orders orders;
  orders.control = control->second.get();
  orders.input = in->first.get();
  orders.output = out->second.get();
  orders.errors = err->second.get();
  orders.exec_read = exec->first.get();
  orders.exec_write = exec->second.get();
  orders.directory = options.directory.empty() ? nullptr : options.directory.c_str();
  orders.programs = programs.get();
  orders.arguments = arguments.get();
  orders.script_arguments = script_arguments.get();
  orders.environment = environment.get();
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return base::errno_error("cannot become a subreaper", errno);
  const pid_t pid = fork_keeper(orders);
  if (pid < 0) return base::errno_error("cannot fork", errno);

  ChildProcess child(std::make_unique<State>(std::move(control->first), pid));
  control->second.reset();
  exec->second.reset();
  const auto report = receive(child.state_->control.get(), 0);
  if (!report) return report.error();
  if (report->news != keeper::News::started) return start_error(*report, options);
  child.state_->server = report->value;
  child.input = std::move(in->second);
  child.output = std::move(out->first);
  child.errors = std::move(err->first);
  return child;
}

int ChildProcess::exit_descriptor() const { return state_->control.get(); }

Result<ExitStatus> ChildProcess::exit_status() {
  // Peeked, so that the descriptor stays readable for whoever else waits on it.
  const auto report = receive(state_->control.get(), MSG_DONTWAIT | MSG_PEEK);
  if (!report) return report.error();
  if (WIFSIGNALED(report->value)) return ExitStatus{true, WTERMSIG(report->value)};
  return ExitStatus{false, WEXITSTATUS(report->value)};
}

void ChildProcess::signal_group(int signal_number) {
  const keeper::Command command{signal_number};
  while (::send(state_->control.get(), &command, sizeof command, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 &&
         errno == EINTR) {
  }
}

int ChildProcess::pid() const { return state_->server; }

}  // namespace transports
