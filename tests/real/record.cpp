// record FILE CMD…: starts CMD between our pipes and keeps what passes: FILE.in what goes to CMD, FILE.out
// what comes from it, byte for byte. Bytes are written down before they are passed on, so a record is never
// behind.

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/bench/child.hpp"

namespace {

int open_log(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) throw std::runtime_error("cannot write `" + path + "`");
  return descriptor;
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Copies until `from` ends or `pass` refuses.
template <class Pass>
void pump(int from, int log, const Pass& pass) {
  std::vector<char> buffer(64 * 1024);
  while (true) {
    const ssize_t count = read(from, buffer.data(), buffer.size());
    if (count <= 0) return;
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
    if (!write_all(log, bytes) || !pass(bytes)) return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: record FILE CMD…\n");
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const int in = open_log(std::string(argv[1]) + ".in"), out = open_log(std::string(argv[1]) + ".out");
    bench::Child child(std::vector<std::string>(argv + 2, argv + argc));
    std::thread([&child, in] {
      pump(STDIN_FILENO, in, [&child](std::string_view bytes) { return child.write(bytes); });
      child.close_input();
    }).detach();
    pump(child.output(), out, [](std::string_view bytes) { return write_all(STDOUT_FILENO, bytes); });
    child.wait(std::chrono::seconds(2));
    child.kill(SIGKILL);
    _exit(0);  // the input pump may still block in read()
  } catch (const std::exception& error) {
    std::fprintf(stderr, "record: %s\n", error.what());
    return 1;
  }
}
