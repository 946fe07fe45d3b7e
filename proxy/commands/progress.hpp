#pragma once
// How far long work has come: one line on stderr, only when that is a terminal and the work takes longer than
// a moment; gone with the object.

#include <chrono>
#include <cstdint>
#include <string>

#include "proxy/base/clock.hpp"

namespace proxy::commands {

class Progress {
 public:
  // `what` is done to `things`: `verifying`, `records`.
  Progress(std::string what, std::string things);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // As often as you like.
  void at(std::uint64_t done, std::uint64_t all);

 private:
  std::string what_, things_;
  bool terminal_;
  base::MonotonicTime next_;  // when the line is drawn again
  bool shown_ = false;
};

// `verifying: 45 % (450,000 of 1,000,000 records)`
std::string progress_text(const std::string& what, const std::string& things, std::uint64_t done,
                          std::uint64_t all);
// `1,000,000`
std::string counted(std::uint64_t number);

}  // namespace proxy::commands
