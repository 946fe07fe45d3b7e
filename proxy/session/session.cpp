#include "proxy/session/session.hpp"

#include <unistd.h>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <exception>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/base/text.hpp"
#include "proxy/setup/log.hpp"
#include "transports/line_framer.hpp"

namespace proxy {

namespace asio = boost::asio;
using namespace asio::experimental::awaitable_operators;
using std::chrono::steady_clock;
namespace {

constexpr std::size_t read_bytes = 256 * 1024;

}  // namespace

Session::Session(SessionParts parts, base::Descriptor from_agent, base::Descriptor to_agent)
    : parts_(std::move(parts)),
      from_agent_(parts_.loop.get_executor(), std::move(from_agent)),
      to_agent_(parts_.loop.get_executor(), std::move(to_agent), parts_.limits.queue_bytes_max),
      from_server_(parts_.loop.get_executor(), std::move(parts_.server.output)),
      to_server_(parts_.loop.get_executor(), std::move(parts_.server.input), parts_.limits.queue_bytes_max),
      server_errors_(parts_.loop.get_executor(), std::move(parts_.server.errors)),
      server_over_(parts_.loop.get_executor()),
      stream_over_(parts_.loop.get_executor()) {
  parts_.router.to_agent = [this](std::string line) { return to_agent_.post(std::move(line)); };
  parts_.router.to_server = [this](std::string line) { return to_server_.post(std::move(line)); };
}

asio::awaitable<SessionEnd> Session::run() {
  co_await (agent_side() && server_side() && error_side());
  co_await parts_.router.all_over();
  co_await drained_within(to_agent_, parts_.limits.end_grace);
  co_return end_;
}

// From the agent until it leaves or we are to stop; then the server is brought to its end.
asio::awaitable<void> Session::agent_side() {
  const auto first = co_await (pump(from_agent_, Direction::to_server, to_server_, to_agent_) ||
                               until_stopped() || server_over_.wait());
  if (first.index() == 1) end_ = SessionEnd::stopped;
  if (first.index() == 2) end_ = SessionEnd::server_ended;
  if (end_ != SessionEnd::server_ended) parts_.router.requester_gone(Direction::to_server);
  parts_.router.peer_gone(Direction::to_agent);  // what it may still answer is not read
  co_await parts_.router.all_forwarded();
  co_await drained_within(to_server_, parts_.limits.child_input_grace);
  co_await end_server();
  co_await end_streams();
}

// What the server has written is passed on. A process of its tree that lives on with its pipes, or an agent
// that does not read, holds us up only for so long.
asio::awaitable<void> Session::end_streams() {
  const auto limit = steady_clock::now() + parts_.limits.end_grace;
  while (streams_open_ > 0) {
    const bool rung = co_await stream_over_.wait(limit);
    if (!rung) break;
  }
  if (streams_open_ == 0) co_return;
  to_agent_.close();
  from_server_.close();
  server_errors_.close();
}

asio::awaitable<void> Session::drained_within(transports::LineSink& sink, std::chrono::milliseconds time) {
  asio::steady_timer timer(parts_.loop, time);
  boost::system::error_code ignored;
  const auto first =
      co_await (sink.drained() || timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored)));
  if (first.index() == 1) sink.close();
}

asio::awaitable<void> Session::server_side() {
  co_await pump(from_server_, Direction::to_agent, to_agent_, to_server_);
  parts_.router.peer_gone(Direction::to_server);
  parts_.router.requester_gone(Direction::to_agent);
  --streams_open_;
  stream_over_.ring();
  server_over_.ring();
}

asio::awaitable<void> Session::pump(transports::LineSource& source, Direction direction,
                                    transports::LineSink& onward, transports::LineSink& back) {
  transports::LineFramer framer(parts_.limits.message_bytes_max);
  std::vector<char> buffer(read_bytes);
  for (;;) {
    const auto count = co_await source.read(buffer);
    if (!count && count.error().code() != base::Code::unavailable) parts_.log(count.error().text());
    if (!count || *count == 0) break;
    framer.push({buffer.data(), *count});
    while (auto line = framer.next()) take(direction, std::move(*line));
    // Who does not read is not read from: neither side can make us hold more than the queues' limits.
    const bool onward_reads = co_await room_within(onward);
    const bool back_reads = co_await room_within(back);
    if (!onward_reads || !back_reads) break;
  }
  if (framer.unfinished()) parts_.log("the last line was not finished and is not passed on");
}

// False: the other side has not read for too long.
asio::awaitable<bool> Session::room_within(transports::LineSink& sink) {
  if (sink.queued_bytes() <= parts_.limits.queue_bytes_max) co_return true;
  asio::steady_timer timer(parts_.loop, parts_.limits.stalled_max);
  boost::system::error_code ignored;
  const auto first =
      co_await (sink.room() || timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored)));
  if (first.index() == 1) parts_.log("a side has not read for too long; the session ends");
  co_return first.index() == 0;
}

// One message that fails inside callgate does not end the session, and never passes.
void Session::take(Direction direction, transports::LineFramer::Line line) {
  try {
    parts_.router.take(direction, std::move(line));
  } catch (const std::exception& error) {
    parts_.log(std::string("a message was dropped, since callgate failed: ") + error.what());
  }
}

// The server's stderr, marked, on ours.
asio::awaitable<void> Session::error_side() {
  const std::string mark = "[" + base::printable(parts_.server_name, 80) + "] ";
  std::string rest;
  std::vector<char> buffer(parts_.limits.stderr_line_bytes_max);
  for (;;) {
    const auto count = co_await server_errors_.read(buffer);
    if (!count || *count == 0) break;
    rest.append(buffer.data(), *count);
    std::string out;
    std::size_t start = 0;
    for (std::size_t end; (end = rest.find('\n', start)) != std::string::npos; start = end + 1)
      out += mark +
             base::printable(std::string_view(rest).substr(start, end - start),
                             parts_.limits.stderr_line_bytes_max) +
             "\n";
    rest.erase(0, start);
    if (rest.size() > parts_.limits.stderr_line_bytes_max) {
      out += mark + base::printable(rest, parts_.limits.stderr_line_bytes_max) + "\n";
      rest.clear();
    }
    write_error_lines(out);
  }
  --streams_open_;
  stream_over_.ring();
}

asio::awaitable<void> Session::until_stopped() {
  asio::signal_set signals(parts_.loop, SIGTERM, SIGINT, SIGHUP);
  boost::system::error_code ignored;
  co_await signals.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

// End of input, then SIGTERM, then SIGKILL, each after its time; to the whole group.
asio::awaitable<void> Session::end_server() {
  // Each co_await on a line of its own: g++ 12 miscompiles `if (!co_await …)`.
  to_server_.close();
  bool exited = co_await exited_within(parts_.limits.child_input_grace);
  if (!exited) {
    parts_.server.signal_group(SIGTERM);
    exited = co_await exited_within(parts_.limits.child_term_grace);
  }
  if (!exited) {
    parts_.server.signal_group(SIGKILL);
    co_await exited_within(parts_.limits.child_term_grace);
  }
  tell_how_it_ended();
}

asio::awaitable<bool> Session::exited_within(std::chrono::milliseconds time) {
  asio::posix::stream_descriptor exit(parts_.loop, ::dup(parts_.server.exit_descriptor()));
  asio::steady_timer timer(parts_.loop, time);
  boost::system::error_code ignored;
  const auto first = co_await (exit.async_wait(asio::posix::stream_descriptor::wait_read,
                                               asio::redirect_error(asio::use_awaitable, ignored)) ||
                               timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored)));
  co_return first.index() == 0;
}

void Session::tell_how_it_ended() {
  if (end_ != SessionEnd::server_ended) return;
  const auto status = parts_.server.exit_status();
  if (!status) return parts_.log("the server has ended: " + status.error().text());
  parts_.log("the server has ended " + std::string(status->signalled ? "by signal " : "with exit code ") +
             std::to_string(status->value));
}

}  // namespace proxy
