#pragma once
// Every limit of the wire, in one place.

#include <chrono>
#include <cstddef>

namespace transports {

struct Limits {
  std::size_t message_bytes_max = 32u << 20;
  std::size_t depth_max = 128;
  std::size_t batch_elements_max = 64;
  std::size_t name_bytes_max = 1024;  // of a method, and of a tool's or prompt's name
  std::size_t queue_bytes_max =
      64u << 20;                    // waiting to be written on one side; the other side is not read meanwhile
  std::size_t requests_max = 1024;  // that wait for an answer, in one direction
  std::size_t late_requests_max = 256;      // cancelled ones whose answer may still come
  std::size_t calls_bytes_max = 64u << 20;  // of the calls among them, which are kept whole
  std::size_t stderr_line_bytes_max = 8192;
  std::chrono::milliseconds stalled_max{60000};  // a side that does not read while its queue is full
  std::chrono::milliseconds end_grace{2000};  // for what is still to be read and written when a session ends
  std::chrono::milliseconds child_input_grace{2000};  // end of input → SIGTERM
  std::chrono::milliseconds child_term_grace{2000};   // SIGTERM → SIGKILL
};

}  // namespace transports
