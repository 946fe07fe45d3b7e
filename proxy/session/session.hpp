#pragma once
// One agent's connection to one server: both pumps, the server's errors, and the end of it all.
// Ends when the agent's input ends or we are told to stop (then the server gets end of input, SIGTERM,
// SIGKILL, each after its grace time), or when the server ends (then every waiting request is answered with
// an error).

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <string>

#include "proxy/base/file.hpp"
#include "proxy/call/direction.hpp"
#include "proxy/call/wakeup.hpp"
#include "proxy/session/router.hpp"
#include "proxy/setup/log.hpp"
#include "transports/child_process.hpp"
#include "transports/limits.hpp"
#include "transports/stdio.hpp"

namespace proxy {

struct SessionParts {
  boost::asio::io_context& loop;
  Router& router;
  transports::ChildProcess& server;
  const transports::Limits& limits;
  Log log;
  std::string server_name;
};

enum class SessionEnd { agent_left, stopped, server_ended };

class Session {
 public:
  // The agent reads what is written to `to_agent`, and writes what is read from `from_agent`.
  Session(SessionParts parts, base::Descriptor from_agent, base::Descriptor to_agent);
  // Until all is over. The child has been waited for.
  boost::asio::awaitable<SessionEnd> run();

 private:
  boost::asio::awaitable<void> agent_side();
  boost::asio::awaitable<void> server_side();
  boost::asio::awaitable<void> error_side();
  boost::asio::awaitable<void> pump(transports::LineSource& source, Direction direction,
                                    transports::LineSink& onward, transports::LineSink& back);
  void take(Direction direction, transports::LineFramer::Line line);
  boost::asio::awaitable<void> until_stopped();
  boost::asio::awaitable<bool> room_within(transports::LineSink& sink);
  boost::asio::awaitable<void> drained_within(transports::LineSink& sink, std::chrono::milliseconds time);
  boost::asio::awaitable<void> end_server();
  boost::asio::awaitable<void> end_streams();
  boost::asio::awaitable<bool> exited_within(std::chrono::milliseconds time);
  void tell_how_it_ended();

  SessionParts parts_;
  transports::LineSource from_agent_;
  transports::LineSink to_agent_;
  transports::LineSource from_server_;
  transports::LineSink to_server_;
  transports::LineSource server_errors_;
  Wakeup server_over_;
  Wakeup stream_over_;
  int streams_open_ = 2;  // the server's output and errors
  SessionEnd end_ = SessionEnd::agent_left;
};

}  // namespace proxy
