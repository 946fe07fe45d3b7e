#pragma once
// A terminal that gives keys one by one, and is given back as it was: at the end of the object, and, for as
// long as it lives, SIGINT, SIGTERM and SIGHUP arrive as a readable descriptor instead of ending the process
// in between.

#include <signal.h>
#include <termios.h>

#include <cstddef>

#include "proxy/base/error.hpp"

namespace proxy::commands {

class RawTerminal {
 public:
  RawTerminal() = default;
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  // One at a time in a process. Standard input is the terminal.
  base::Result<void> begin();
  int signal_descriptor() const { return pipe_[0]; }

 private:
  termios before_{};
  bool changed_ = false;
  int pipe_[2] = {-1, -1};
  struct sigaction actions_before_[3]{};
};

// Columns and rows of the terminal on stdout, else 80 and 24.
std::size_t terminal_width();
std::size_t terminal_height();

}  // namespace proxy::commands
