#include "transports/stdio.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <utility>

namespace transports {
namespace {

namespace asio = boost::asio;
using base::Code;
using base::Error;

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t lines_per_write_max = 64;

Error closed_error() { return {Code::unavailable, "the stream is closed"}; }

}  // namespace

base::Result<base::Descriptor> duplicate(int descriptor) {
  base::Descriptor copy(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
  if (!copy) return base::errno_error("cannot use descriptor " + std::to_string(descriptor), errno);
  return copy;
}

NonBlocking::NonBlocking(int descriptor) : descriptor_(descriptor) {
  const int flags = ::fcntl(descriptor_, F_GETFL);
  changed_ =
      flags >= 0 && (flags & O_NONBLOCK) == 0 && ::fcntl(descriptor_, F_SETFL, flags | O_NONBLOCK) == 0;
}

NonBlocking::~NonBlocking() {
  if (!changed_) return;
  const int flags = ::fcntl(descriptor_, F_GETFL);
  if (flags >= 0) ::fcntl(descriptor_, F_SETFL, flags & ~O_NONBLOCK);
}

LineSource::LineSource(asio::any_io_executor executor, base::Descriptor descriptor)
    : stream_(std::move(executor)) {
  mode_.emplace(descriptor.get());
  boost::system::error_code ignored;  // a broken descriptor says so when it is read
  stream_.assign(descriptor.get(), ignored);
  if (ignored)
    mode_.reset();
  else
    descriptor.release();
}

asio::awaitable<base::Result<std::size_t>> LineSource::read(std::span<char> buffer) {
  if (closed_) co_return closed_error();
  const asio::mutable_buffer target(buffer.data(), buffer.size());
  const auto [reason, size] = co_await stream_.async_read_some(target, as_result);
  if (reason == asio::error::eof) co_return std::size_t{0};
  if (reason == asio::error::operation_aborted) co_return closed_error();
  // A terminal or a socket whose other side is gone ends its input with an error.
  if (reason.value() == EIO || reason == asio::error::connection_reset) co_return std::size_t{0};
  if (reason) co_return Error(Code::io, "cannot read: " + reason.message());
  co_return size;
}

void LineSource::close() {
  if (std::exchange(closed_, true)) return;
  mode_.reset();
  boost::system::error_code ignored;
  stream_.close(ignored);
}

struct LineSink::State : std::enable_shared_from_this<LineSink::State> {
  State(const asio::any_io_executor& executor, std::size_t bytes_max)
      : stream(executor),
        progress(executor, asio::steady_timer::time_point::max()),
        queue_bytes_max(bytes_max) {}

  bool idle() const { return lines.empty(); }

  // Wakes whoever waits in room() or drained(): they look again.
  void wake() { progress.cancel(); }

  void fail(Error error) {
    if (open) failure = failure_untold = std::move(error);
    stop();
  }

  void stop() {
    open = false;
    lines.clear();
    written = queued = 0;
    mode.reset();
    boost::system::error_code ignored;
    stream.close(ignored);
    wake();
  }

  // Writes what the descriptor takes now; the rest when it is writable.
  void write() {
    while (open && !lines.empty()) {
      const ssize_t size = write_some();
      if (size >= 0) {
        consume(static_cast<std::size_t>(size));
      } else if (errno == EAGAIN) {
        return wait();
      } else if (errno == EPIPE || errno == ECONNRESET) {
        fail({Code::unavailable, "the peer has closed its input"});
      } else if (errno != EINTR) {
        fail(base::errno_error("cannot write", errno));
      }
    }
  }

  ssize_t write_some() {
    static char newline = '\n';
    iovec parts[2 * lines_per_write_max];
    int count = 0;
    std::size_t skipped = written;  // of the first line and its newline
    for (std::size_t i = 0; i < lines.size() && i < lines_per_write_max; ++i) {
      std::string& line = lines[i];
      if (skipped < line.size()) parts[count++] = {line.data() + skipped, line.size() - skipped};
      parts[count++] = {&newline, 1};
      skipped = 0;
    }
    return ::writev(stream.native_handle(), parts, count);
  }

  void consume(std::size_t size) {
    queued -= size;
    written += size;
    while (!lines.empty() && written > lines.front().size()) {
      written -= lines.front().size() + 1;
      lines.pop_front();
    }
    if (idle() || queued <= queue_bytes_max) wake();
  }

  void wait() {
    if (std::exchange(waiting, true)) return;
    stream.async_wait(asio::posix::stream_descriptor::wait_write,
                      [self = shared_from_this()](const boost::system::error_code& reason) {
                        self->waiting = false;
                        if (reason == asio::error::operation_aborted) return;
                        if (reason)
                          return self->fail({Code::io, "cannot wait to write: " + reason.message()});
                        self->write();
                      });
  }

  asio::posix::stream_descriptor stream;
  std::optional<NonBlocking> mode;
  asio::steady_timer progress;
  std::deque<std::string> lines;
  std::size_t written = 0;  // of the first line
  std::size_t queued = 0;   // bytes, newlines included
  std::size_t queue_bytes_max;
  bool open = true;
  bool waiting = false;
  std::optional<Error> failure;
  std::optional<Error> failure_untold;
};

namespace {

// A coroutine of its own, which owns what it waits on: the sink may go while it waits.
template <class State, class Done>
asio::awaitable<void> wait_until(std::shared_ptr<State> state, Done done) {
  while (state->open && !done(*state)) co_await state->progress.async_wait(as_result);
}

}  // namespace

LineSink::LineSink(asio::any_io_executor executor, base::Descriptor descriptor, std::size_t queue_bytes_max)
    : state_(std::make_shared<State>(executor, queue_bytes_max)) {
  state_->mode.emplace(descriptor.get());
  boost::system::error_code reason;
  state_->stream.assign(descriptor.get(), reason);
  if (!reason) descriptor.release();
  if (reason) state_->fail({Code::io, "cannot write: " + reason.message()});
}

LineSink::~LineSink() { state_->stop(); }

bool LineSink::post(std::string line) {
  State& state = *state_;
  if (!state.open) return false;
  if (state.queued > 0 && state.queued + line.size() > 2 * state.queue_bytes_max) {
    state.fail({Code::limit, "the peer does not read: more than " +
                                 std::to_string(2 * state.queue_bytes_max) + " bytes wait for it"});
    return false;
  }
  state.queued += line.size() + 1;
  state.lines.push_back(std::move(line));
  if (!state.waiting) state.write();
  return state.open;
}

asio::awaitable<void> LineSink::room() {
  const auto enough = [](const State& state) { return state.queued <= state.queue_bytes_max; };
  co_await wait_until(state_, enough);
}

asio::awaitable<base::Result<void>> LineSink::drained() {
  const std::shared_ptr<State> state = state_;
  const auto idle = [](const State& current) { return current.idle(); };
  co_await wait_until(state, idle);
  if (state->failure) co_return *state->failure;
  if (!state->open) co_return closed_error();
  co_return base::Result<void>();
}

std::optional<base::Error> LineSink::take_failure() {
  return std::exchange(state_->failure_untold, std::nullopt);
}

void LineSink::close() { state_->stop(); }

std::size_t LineSink::queued_bytes() const { return state_->queued; }

}  // namespace transports
