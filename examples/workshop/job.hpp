#pragma once
// Tool calls that take time. The server polls them beside its input, so that other requests flow meanwhile.

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "examples/workshop/answer.hpp"

namespace workshop {

using Time = std::chrono::steady_clock::time_point;

class Job {
 public:
  virtual ~Job() = default;  // ends what it started: a cancelled job is destroyed
  // To poll for input beside due(); -1: none.
  virtual int descriptor() const = 0;
  // When step() wants to be called at the latest.
  virtual Time due() const = 0;
  // Goes on. May append whole lines (progress) to `output`. The result once it is done.
  virtual std::optional<std::string> step(std::string& output) = 0;
};

// `steps` pauses of `delay`; progress after each one where `token` is not null.
std::unique_ptr<Job> start_slow(long steps, std::chrono::milliseconds delay, const Json& token);

// `command` in /bin/sh, in its own process group. Null, with `error` set, when it cannot be started.
std::unique_ptr<Job> start_command(const std::string& command, const std::string& directory,
                                   std::string& error);

}  // namespace workshop
