#pragma once
// Where each message goes: refused, passed on byte for byte, or through the gate. No I/O of its own: lines go
// out through the two Outlets, calls run as coroutines on the executor.

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "proxy/call_gate.hpp"
#include "proxy/pending.hpp"
#include "transports/limits.hpp"
#include "transports/line_framer.hpp"

namespace proxy {

// Takes one line without its newline; false: that side is gone.
using Outlet = std::function<bool(std::string)>;

// What `initialize` said, as claimed by both sides.
struct Handshake {
  std::string client_name, client_version, server_name, server_version, protocol;
};

class Router {
 public:
  Router(boost::asio::any_io_executor executor, CallGate& gate, const transports::Limits& limits, Log log);

  Outlet to_server;
  Outlet to_agent;
  std::function<void(const Handshake&)> on_initialized;

  // One line that travels in this direction.
  void take(Direction direction, transports::LineFramer::Line line);

  // The requester's side of this direction has ended: what is held is withdrawn, what is decided goes on.
  void requester_gone(Direction direction);
  // The answering side of this direction has ended: every request that waits for it is answered with an
  // error, at once.
  void peer_gone(Direction direction);
  // Until every running call has been forwarded or is over / until every running call is over.
  boost::asio::awaitable<void> all_forwarded();
  boost::asio::awaitable<void> all_over();

 private:
  void request(Direction direction, transports::Message message);
  bool remember(Direction direction, const std::string& id, PendingRequest request);
  void judged_request(Direction direction, transports::Message message);
  void notification(Direction direction, transports::Message message);
  void response(Direction direction, transports::Message message);
  void refused(Direction direction, const transports::Refusal& refusal);
  bool cancelled(Direction direction, const std::string& id);
  bool progress(Direction direction, transports::Message& message);
  void settle(Direction direction, const std::string& id, const std::shared_ptr<HeldCall>& call);
  void handshake(const transports::Message& answer);
  boost::asio::awaitable<void> pass(std::shared_ptr<HeldCall> call, std::string id);

  Outlet& outlet(Direction direction) { return direction == Direction::to_server ? to_server : to_agent; }
  Outlet& back(Direction direction) { return direction == Direction::to_server ? to_agent : to_server; }
  // Requests that travel in this direction.
  Pending& pending(Direction direction) {
    return direction == Direction::to_server ? agent_requests_ : server_requests_;
  }

  boost::asio::any_io_executor executor_;
  CallGate& gate_;
  const transports::Limits& limits_;
  Log log_;
  Pending agent_requests_;   // by the agent, to the server
  Pending server_requests_;  // by the server, to the agent
  std::unordered_map<std::string, std::shared_ptr<HeldCall>>
      tokens_;  // progress token by what it means → the agent's call
  struct Late {
    Direction direction;
    std::string id;
    std::shared_ptr<HeldCall> call;
  };
  std::deque<Late> late_;
  Handshake handshake_;
  std::size_t running_ = 0;
  Wakeup over_;
};

Direction opposite(Direction direction);

}  // namespace proxy
