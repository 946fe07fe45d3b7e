#include "transports/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using base::Descriptor;
using transports::ChildOptions;
using transports::ChildProcess;

namespace {

constexpr int patience_milliseconds = 20'000;  // only a failing test waits so long

bool readable(int descriptor) {
  struct pollfd wait {
    descriptor, POLLIN, 0
  };
  while (true) {
    const int count = ::poll(&wait, 1, patience_milliseconds);
    if (count >= 0 || errno != EINTR) return count == 1;
  }
}

// Everything until the end of input; `…` when the end does not come.
std::string all_of(int descriptor) {
  std::string text;
  char chunk[4096];
  for (;;) {
    if (!readable(descriptor)) return text + "…";
    const ssize_t size = ::read(descriptor, chunk, sizeof chunk);
    if (size <= 0) return text;
    text.append(chunk, static_cast<std::size_t>(size));
  }
}

// Up to `end`.
std::string some_of(int descriptor, const std::string& end) {
  std::string text;
  char byte = 0;
  while (!text.ends_with(end) && readable(descriptor) && ::read(descriptor, &byte, 1) == 1) text += byte;
  return text;
}

ChildOptions shell(const std::string& script) {
  return {{"sh", "-c", script}, {{"PATH", "/usr/bin:/bin"}}, {}};
}

ChildProcess started(const ChildOptions& options) {
  auto child = ChildProcess::start(options);
  if (!child) FAIL(child.error().text());
  return std::move(*child);
}

std::string output_of(const ChildOptions& options) {
  const ChildProcess child = started(options);
  return all_of(child.output.get());
}

transports::ExitStatus end_of(ChildProcess& child) {
  REQUIRE(readable(child.exit_descriptor()));
  const auto status = child.exit_status();
  if (!status) FAIL(status.error().text());
  return *status;
}

struct Folder : TemporaryFolder {
  std::string path = TemporaryFolder::path().string();
};

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

pid_t parent_of(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  return std::stoi(text.substr(text.rfind(')') + 4));
}

// A server with a daemon that left its group; both run.
ChildProcess started_with_daemon() {
  ChildProcess child = started(shell(
      "(setsid sh -c 'trap \"\" TERM HUP INT; echo daemon; sleep 1000; true' &) ; echo server; sleep 1000"));
  some_of(child.output.get(), "\n");
  some_of(child.output.get(), "\n");
  return child;
}

}  // namespace

TEST_CASE("the three pipes carry bytes and the end of input") {
  ChildProcess child = started(shell("cat; echo complaint >&2; exit 7"));
  REQUIRE(::write(child.input.get(), "hello", 5) == 5);
  CHECK_FALSE(child.exit_status().has_value());
  CHECK(child.exit_status().error().code() == base::Code::conflict);
  child.input.reset();
  CHECK(all_of(child.output.get()) == "hello");
  CHECK(all_of(child.errors.get()) == "complaint\n");
  const auto status = end_of(child);
  CHECK_FALSE(status.signalled);
  CHECK(status.value == 7);
  CHECK(end_of(child).value == 7);  // can be asked again
}

TEST_CASE("a server has exactly the environment given") {
  CHECK(output_of({{"env"}, {{"PATH", "/usr/bin:/bin"}, {"A", "x=y"}, {"EMPTY", ""}}, {}}) ==
        "A=x=y\nEMPTY=\nPATH=/usr/bin:/bin\n");
  CHECK(output_of({{"/usr/bin/env"}, {}, {}}).empty());
}

TEST_CASE("a server has no descriptor but its three") {
  const int stray = ::open("/dev/null", O_RDONLY);  // not close-on-exec
  const int far = ::dup2(stray, 900);
  CHECK(output_of(shell("ls /proc/$$/fd; true")) == "0\n1\n2\n");
  ::close(stray);
  ::close(far);
}

TEST_CASE("a server starts with fresh signals") {
  const auto before = std::signal(SIGUSR1, SIG_IGN);
  sigset_t blocked;
  sigset_t mask;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR2);
  ::sigprocmask(SIG_BLOCK, &blocked, &mask);
  const std::string text = output_of({{"grep", "-E", "Sig(Ign|Blk)", "/proc/self/status"}, {}, {}});
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  std::signal(SIGUSR1, before);
  CHECK(text == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST_CASE("starting leaves the caller's signals and descriptors as they were") {
  sigset_t before;
  sigset_t after;
  ::sigprocmask(SIG_SETMASK, nullptr, &before);
  const std::size_t descriptors = open_descriptors();
  output_of(shell("true"));
  CHECK_FALSE(ChildProcess::start({{"no-such-program"}, {}, {}}).has_value());
  CHECK(open_descriptors() == descriptors);
  ::sigprocmask(SIG_SETMASK, nullptr, &after);
  for (int number = 1; number < NSIG; ++number)
    CHECK(::sigismember(&before, number) == ::sigismember(&after, number));
}

TEST_CASE("what cannot be started says why") {
  const Folder folder;
  const std::string file = folder.path + "/plain";
  std::ofstream(file) << "echo from a plain script \"$1\"\n";
  const auto failure = [](const ChildOptions& options) { return ChildProcess::start(options).error(); };
  CHECK(failure({{"no-such-program"}, {{"PATH", "/usr/bin:/bin"}}, {}}).code() == base::Code::not_found);
  CHECK(failure({{"no-such-program"}, {{"PATH", "/usr/bin"}}, {}}).message() ==
        "no program `no-such-program` in `PATH`");
  CHECK(failure({{"/no/such"}, {}, {}}).code() == base::Code::not_found);
  CHECK(failure({{file}, {}, {}}).message() == "cannot run `" + file + "`: Permission denied");
  CHECK(failure({{"plain"}, {{"PATH", folder.path + ":/usr/bin"}}, {}}).code() == base::Code::io);
  CHECK(failure({{"sh"}, {{"PATH", "/bin"}}, "/no/folder"}).message() ==
        "cannot enter the folder `/no/folder`: No such file or directory");
  CHECK(failure({{}, {}, {}}).code() == base::Code::invalid);
  CHECK(failure({{""}, {}, {}}).code() == base::Code::invalid);
  CHECK(failure({{"sh", std::string("a\0b", 3)}, {}, {}}).code() == base::Code::invalid);
  CHECK(failure({{"sh"}, {{"A=B", "c"}}, {}}).code() == base::Code::invalid);
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);  // no keeper is left
}

TEST_CASE("programs are found as execvp finds them") {
  const Folder folder;
  std::ofstream(folder.path + "/plain") << "echo from a plain script \"$1\"\n";
  ::chmod((folder.path + "/plain").c_str(), 0755);
  CHECK(output_of({{"plain", "with an argument"}, {{"PATH", "/no/such:" + folder.path}}, {}}) ==
        "from a plain script with an argument\n");
  CHECK(output_of({{"./plain", "x"}, {}, folder.path}) == "from a plain script x\n");
  CHECK(output_of({{"pwd"}, {{"PATH", "/bin"}}, folder.path}) == folder.path + "\n");
}

TEST_CASE("a signal reaches the group, and its number is reported") {
  ChildProcess child = started(shell("sleep 1000 & echo ready; sleep 1000"));
  CHECK(some_of(child.output.get(), "\n") == "ready\n");
  child.signal_group(SIGTERM);
  CHECK(all_of(child.output.get()).empty());  // the sleeper in the background held it, too
  const auto status = end_of(child);
  CHECK(status.signalled);
  CHECK(status.value == SIGTERM);
  child.signal_group(SIGTERM);  // to nobody
}

TEST_CASE("what a server leaves in its group ends with it") {
  ChildProcess child = started(shell("trap '' TERM HUP; sleep 1000 & exit 3"));
  CHECK(end_of(child).value == 3);
  CHECK(all_of(child.output.get()).empty());
}

TEST_CASE("the end of the child object ends every descendant, daemons too") {
  ChildProcess child = started_with_daemon();
  Descriptor output = std::move(child.output);
  { const ChildProcess ended = std::move(child); }
  CHECK(all_of(output.get()).empty());
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
}

TEST_CASE("the keeper holds none of our descriptors open") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);  // not close-on-exec
  const ChildProcess child = started(shell("sleep 1000"));
  ::close(ends[1]);
  CHECK(all_of(ends[0]).empty());
  ::close(ends[0]);
}

TEST_CASE("when the keeper is killed the server dies with it") {
  ChildProcess child = started(shell("echo ready; exec sleep 1000"));
  some_of(child.output.get(), "\n");
  ::kill(parent_of(child.pid()), SIGKILL);
  CHECK(all_of(child.output.get()).empty());
  REQUIRE(readable(child.exit_descriptor()));
  CHECK(child.exit_status().error().code() == base::Code::unavailable);
}

TEST_CASE("when the keeper is killed, what escaped from the server ends with the child object") {
  ChildProcess child = started_with_daemon();
  Descriptor output = std::move(child.output);
  ::kill(parent_of(child.pid()), SIGKILL);
  REQUIRE(readable(child.exit_descriptor()));
  { const ChildProcess ended = std::move(child); }
  CHECK(all_of(output.get()).empty());
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
}

TEST_CASE("when callgate is killed nothing of the server's tree is left") {
  const Folder folder;
  const std::string fifo = folder.path + "/fifo";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  // Open for reading before the writers come; every process of the tree holds the other end until it dies.
  const Descriptor end(::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  const pid_t callgate = ::fork();
  REQUIRE(callgate >= 0);
  if (callgate == 0) {
    ::setpgid(0, 0);
    const std::string daemon = "trap \"\" TERM HUP INT QUIT; echo daemon >&9; sleep 1000; true";
    auto child = ChildProcess::start(shell("exec 9>" + fifo + "; (setsid sh -c '" + daemon +
                                           "' &); trap '' TERM HUP; echo server >&9; sleep 1000; true"));
    while (child) ::pause();
    ::_exit(1);
  }
  std::string text;
  while (text.find("daemon\n") == std::string::npos || text.find("server\n") == std::string::npos) {
    const std::string line = some_of(end.get(), "\n");
    REQUIRE_FALSE(line.empty());
    text += line;
  }
  ::kill(-callgate, SIGKILL);  // its whole group, as a terminal or an impatient agent does
  ::waitpid(callgate, nullptr, 0);
  CHECK(all_of(end.get()).empty());
}
