#pragma once
// Runs another program to its end: with a clean environment, bytes on its stdin, what it writes, and a limit.

#include <chrono>
#include <string>
#include <vector>

#include "proxy/base/error.hpp"

namespace proxy::anchors {

struct Program {
  std::vector<std::string> words;        // the first is looked for in PATH
  std::vector<std::string> environment;  // `NAME=VALUE`; PATH, HOME and what ssh needs are added
  std::string input;
  std::chrono::milliseconds limit{10'000};
};

// What it wrote to stdout. Code::unavailable: no such program, or not done within the limit (it is killed);
// Code::io: it failed, with what it said on stderr.
base::Result<std::string> run(const Program& program);

}  // namespace proxy::anchors
