#pragma once
// Bytes in and out of descriptors on the event loop: our own standard streams and the pipes of a child. One
// thread: all calls are made on the io_context's. Pipes, sockets and terminals are waited for; regular files
// and `/dev/null`, which epoll refuses, are read and written at once.

#include <sys/uio.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "proxy/base/error.hpp"
#include "proxy/base/file.hpp"

#if defined(__GNUC__) && !defined(__clang__)
// For every file with coroutines that includes this: g++ 12 inlines Asio's operator new of a coroutine frame
// but not its operator delete, and takes the pair for a mismatch.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace transports {

// A copy of one of our own standard streams, so that ending a LineSource or LineSink does not close the
// stream.
base::Result<base::Descriptor> duplicate(int descriptor);

// Sets O_NONBLOCK and takes it back where it was not set before: the file description may be a terminal, or a
// pipe that other processes hold too.
class NonBlocking {
 public:
  explicit NonBlocking(int descriptor);
  ~NonBlocking();
  NonBlocking(const NonBlocking&) = delete;
  NonBlocking& operator=(const NonBlocking&) = delete;

 private:
  int descriptor_;
  bool changed_ = false;
};

class LineSource {
 public:
  LineSource(boost::asio::any_io_executor executor, base::Descriptor descriptor);
  // At least one byte, or 0 at the end of input. One read at a time. Code::unavailable: closed or cancelled.
  boost::asio::awaitable<base::Result<std::size_t>> read(std::span<char> buffer);
  // A pending read ends with Code::unavailable, and so do later ones.
  void close();

 private:
  boost::asio::posix::stream_descriptor stream_;
  std::optional<NonBlocking> mode_;  // ends before the stream does
  bool closed_ = false;
};

// The lines waiting to be written to one descriptor, in order. SIGPIPE must be ignored by the process.
class LineSink {
 public:
  // Above `queue_bytes_max` room() waits; above twice that post() gives the peer up: it does not read.
  LineSink(boost::asio::any_io_executor executor, base::Descriptor descriptor, std::size_t queue_bytes_max);
  ~LineSink();  // drops what is still queued
  LineSink(const LineSink&) = delete;
  LineSink& operator=(const LineSink&) = delete;

  // Adds the newline. Written at once where the descriptor takes it. False: closed or broken, the line is
  // lost.
  bool post(std::string line);
  // Until the queue is within its limit, or the sink is closed or broken.
  boost::asio::awaitable<void> room();
  // Until everything is written. Error: how it broke.
  boost::asio::awaitable<base::Result<void>> drained();
  // How writing broke, told once; nullopt when it did not or was told.
  std::optional<base::Error> take_failure();
  // The peer sees end of input. What is queued is dropped: co_await drained() before.
  void close();
  std::size_t queued_bytes() const;

 private:
  struct State;
  // Shared with the pending wait for the descriptor, whose handler runs after the sink has gone.
  std::shared_ptr<State> state_;
};

}  // namespace transports
