#pragma once
// A server as a child process that cannot outlive us.
//
// callgate → keeper → server. The keeper is forked from callgate, becomes the subreaper of everything below
// it, starts the server in a process group of its own with PR_SET_PDEATHSIG, and waits on a socket to
// callgate: when that closes (we ended, or were killed) it ends the group and then every descendant that was
// reparented to it. The server gets its three pipes, the environment given, and no other descriptor.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "proxy/base/error.hpp"
#include "proxy/base/file.hpp"

namespace transports {

struct ChildOptions {
  std::vector<std::string> command;  // argv; [0] is looked up in PATH of `environment`
  std::map<std::string, std::string> environment;
  std::string directory;  // working directory; empty: ours
};

struct ExitStatus {
  bool signalled = false;
  int value = 0;  // exit code or signal number
};

class ChildProcess {
 public:
  // Code::not_found: no such program; Code::io: could not be started, with the failing step.
  static base::Result<ChildProcess> start(const ChildOptions& options);
  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) noexcept;
  // Kills the group and waits for the keeper. Was that killed, every child of this process is: what escaped
  // from it came to us.
  ~ChildProcess();

  base::Descriptor input;   // we write
  base::Descriptor output;  // we read
  base::Descriptor errors;  // we read
  // Readable when the server has ended; then exit_status() gives how.
  int exit_descriptor() const;
  base::Result<ExitStatus> exit_status();
  void signal_group(int signal_number);  // through the keeper: no race with a reused pid
  int pid() const;

 private:
  struct State;
  explicit ChildProcess(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace transports
