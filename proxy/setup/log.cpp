#include "proxy/setup/log.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <string>

#include "proxy/base/text.hpp"

namespace proxy {

void write_error_lines(std::string_view lines) {
  while (!lines.empty()) {
    // A pipe that polls writable takes PIPE_BUF bytes without blocking.
    pollfd ready{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&ready, 1, 0) != 1 || (ready.revents & POLLOUT) == 0) return;
    const std::size_t size = std::min<std::size_t>(lines.size(), PIPE_BUF);
    const ssize_t written = ::write(STDERR_FILENO, lines.data(), size);
    if (written <= 0) return;
    lines.remove_prefix(static_cast<std::size_t>(written));
  }
}

void log_line(std::string_view text) { write_error_lines("callgate: " + base::printable(text, 3000) + "\n"); }

}  // namespace proxy
