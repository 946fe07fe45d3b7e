#include "proxy/commands/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace proxy::commands {
namespace {

constexpr std::chrono::milliseconds a_moment{200};
constexpr std::chrono::milliseconds between_lines{100};

}  // namespace

Progress::Progress(std::string what, std::string things)
    : what_(std::move(what)),
      things_(std::move(things)),
      terminal_(::isatty(STDERR_FILENO) != 0),
      next_(base::monotonic_now() + a_moment) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void Progress::at(std::uint64_t done, std::uint64_t all) {
  if (!terminal_) return;
  const base::MonotonicTime now = base::monotonic_now();
  if (now < next_) return;
  next_ = now + between_lines;
  shown_ = true;
  std::fprintf(stderr, "\r\x1b[K%s", progress_text(what_, things_, done, all).c_str());
  std::fflush(stderr);
}

std::string progress_text(const std::string& what, const std::string& things, std::uint64_t done,
                          std::uint64_t all) {
  if (all == 0) return what + ": " + counted(done) + " " + things;
  const auto percent =
      static_cast<unsigned>(std::min(100.0, 100.0 * static_cast<double>(done) / static_cast<double>(all)));
  return what + ": " + std::to_string(percent) + " % (" + counted(done) + " of " + counted(all) + " " +
         things + ")";
}

std::string counted(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

}  // namespace proxy::commands
