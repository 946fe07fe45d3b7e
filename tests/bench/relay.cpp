// relay CMD…: starts CMD and copies bytes both ways, looking at none of them. The floor for any proxy between
// pipes: one read and one write a message and direction, one thread a direction. Ends when CMD's output ends.

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <thread>
#include <vector>

#include "tests/bench/child.hpp"

namespace {

// Until end of input, or until nobody reads.
void pump_input(bench::Child& child) {
  std::vector<char> buffer(64 * 1024);
  while (true) {
    const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count <= 0 || !child.write({buffer.data(), static_cast<std::size_t>(count)})) break;
  }
  child.close_input();
}

void pump_output(int from) {
  std::vector<char> buffer(64 * 1024);
  while (true) {
    const ssize_t count = read(from, buffer.data(), buffer.size());
    if (count <= 0) return;
    for (ssize_t done = 0; done < count;) {
      const ssize_t written =
          write(STDOUT_FILENO, buffer.data() + done, static_cast<std::size_t>(count - done));
      if (written <= 0) return;
      done += written;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    bench::Child child(std::vector<std::string>(argv + 1, argv + argc));
    std::thread([&child] { pump_input(child); }).detach();
    pump_output(child.output());
    // The input pump may still block in read(): leave without joining it.
    child.wait(std::chrono::seconds(2));
    child.kill(SIGKILL);
    std::fflush(nullptr);
    _exit(0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "relay: %s\n", error.what());
    return 1;
  }
}
