#pragma once
// Where each message goes: refused, passed on byte for byte, or through the gate. No I/O of its own: lines go
// out through the two Outlets, calls run as coroutines on the executor.

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "proxy/call/call.hpp"
#include "proxy/call/direction.hpp"
#include "proxy/call/gate.hpp"
#include "proxy/call/wakeup.hpp"
#include "proxy/session/batch.hpp"
#include "proxy/session/handshake.hpp"
#include "proxy/session/requests.hpp"
#include "proxy/setup/log.hpp"
#include "transports/limits.hpp"
#include "transports/line_framer.hpp"
#include "transports/message.hpp"

namespace proxy {

// Takes one line without its newline; false: that side is gone.
using Outlet = std::function<bool(std::string)>;

class Router {
 public:
  Router(boost::asio::any_io_executor executor, CallGate& gate, const transports::Limits& limits, Log log);
  ~Router();  // what is still gathered goes nowhere
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  Outlet to_server;
  Outlet to_agent;
  std::function<void(const Handshake&)> on_initialized;

  // One line that travels in this direction. Under the revision that has them, a batch is taken apart: each
  // of its messages goes its own way on a line of its own, and the answers to them go back as one batch.
  void take(Direction direction, transports::LineFramer::Line line);

  // The requester's side of this direction has ended: what is held is withdrawn, what is decided goes on.
  void requester_gone(Direction direction);
  // The answering side of this direction has ended: every request that waits for it is answered with an
  // error, at once.
  void peer_gone(Direction direction);
  // Until every call of the agent's has been forwarded or is over, and every call of the server's is over:
  // after peer_gone(Direction::to_agent), so that it ends / until every call is over.
  boost::asio::awaitable<void> all_forwarded();
  boost::asio::awaitable<void> all_over();

 private:
  void batch(Direction direction, const std::string& line);
  void message(Direction direction, std::string line);
  void request_or_failure(Direction direction, transports::Message message);
  void request(Direction direction, transports::Message message);
  void refuse_request(Direction direction, const std::string& id, const char* why);
  bool remember(Direction direction, const std::string& id, Request request);
  void judged_request(Direction direction, transports::Message message);
  void notification(Direction direction, transports::Message message);
  void response(Direction direction, transports::Message message);
  bool hold_answer(Call& call, transports::Message& message);
  void refused(Direction direction, const transports::Refusal& refusal);
  bool cancelled(Direction direction, const std::string& id);
  bool progress(Direction direction, transports::Message& message);
  void settle(Direction direction, const std::string& id, const std::shared_ptr<Call>& call);
  bool answer(Direction direction, const std::shared_ptr<Batch>& batch, std::string line);
  boost::asio::awaitable<void> pass(std::shared_ptr<Call> call, std::string id);
  void give_up(Call& call, const std::shared_ptr<Batch>& batch);

  Outlet& outlet(Direction direction) { return direction == Direction::to_server ? to_server : to_agent; }
  Outlet& back(Direction direction) { return direction == Direction::to_server ? to_agent : to_server; }
  std::size_t& running(Direction direction) { return running_[direction == Direction::to_server ? 0 : 1]; }
  std::size_t& calls_bytes(Direction direction) {
    return calls_bytes_[direction == Direction::to_server ? 0 : 1];
  }
  // Requests that travel in this direction.
  Requests& requests(Direction direction) {
    return direction == Direction::to_server ? agent_requests_ : server_requests_;
  }

  boost::asio::any_io_executor executor_;
  CallGate& gate_;
  const transports::Limits& limits_;
  Log log_;
  Requests agent_requests_;   // by the agent, to the server
  Requests server_requests_;  // by the server, to the agent
  std::unordered_map<std::string, std::shared_ptr<Call>>
      tokens_;  // progress token by what it means → the agent's call
  struct Late {
    Direction direction;
    std::string id;
    std::shared_ptr<Call> call;
  };
  std::deque<Late> late_;
  Handshake handshake_;
  const std::shared_ptr<std::size_t> gathered_bytes_ = std::make_shared<std::size_t>(0);  // by all batches
  std::shared_ptr<Batch> gathering_;          // whose messages are being taken; null: none
  std::array<std::size_t, 2> running_{};      // calls under way, by direction
  std::array<std::size_t, 2> calls_bytes_{};  // of their messages
  Wakeup over_;
};

}  // namespace proxy
