// fdatasync_floor FILE [WRITES [PACE_MICROSECONDS]]: what one durable append costs on this disk at least.
// Overwrites 12 KB of a preallocated file (what SQLite's WAL writes for one record, near enough) and syncs
// it, again and again, busy for the pace between two: a disk that rests between syncs answers later than one
// that is driven without pause. Prints one JSON object. The file is removed.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t write_bytes = 12 * 1024;
constexpr std::size_t file_bytes = 4 * 1024 * 1024;  // about what a WAL grows to before its checkpoint

bool prepare(int descriptor) {
  const std::vector<char> zeros(file_bytes);
  return pwrite(descriptor, zeros.data(), zeros.size(), 0) == static_cast<ssize_t>(zeros.size()) &&
         fsync(descriptor) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr, "usage: fdatasync_floor FILE [WRITES [PACE_MICROSECONDS]]\n");
    return 2;
  }
  const int writes = argc > 2 ? std::max(1, std::atoi(argv[2])) : 1000;
  const std::chrono::microseconds pace(argc > 3 ? std::atoi(argv[3]) : 0);
  const int descriptor = open(argv[1], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0 || !prepare(descriptor)) {
    std::perror("fdatasync_floor: cannot prepare the file");
    return 1;
  }
  std::vector<char> block(write_bytes);
  std::vector<double> microseconds;
  std::size_t offset = 0;
  for (int index = 0; index < writes; ++index) {
    for (const auto until = Clock::now() + pace; Clock::now() < until;) {
    }
    std::fill(block.begin(), block.end(), static_cast<char>(index));
    const auto begin = Clock::now();
    if (pwrite(descriptor, block.data(), block.size(), static_cast<off_t>(offset)) < 0 ||
        fdatasync(descriptor) != 0) {
      std::perror("fdatasync_floor: cannot write");
      return 1;
    }
    microseconds.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    offset = (offset + write_bytes) % (file_bytes - write_bytes);
  }
  unlink(argv[1]);
  std::sort(microseconds.begin(), microseconds.end());
  std::printf("{\"case\":\"floor\",\"writes\":%d,\"pace_us\":%lld,\"p50_us\":%.1f,\"p99_us\":%.1f}\n", writes,
              static_cast<long long>(pace.count()), microseconds[microseconds.size() / 2],
              microseconds[microseconds.size() * 99 / 100]);
  return 0;
}
