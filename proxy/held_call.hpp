#pragma once
// One judged request on its way through the gate. Shared by the table of pending requests and the gate's
// coroutine: either may be done with it first.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "proxy/call_flow.hpp"
#include "proxy/methods.hpp"
#include "transports/message.hpp"

namespace proxy {

// Wakes one waiting coroutine. A ring before the wait is not lost.
class Wakeup {
 public:
  explicit Wakeup(const boost::asio::any_io_executor& executor);
  void ring();
  // Until ring(), or the time. False: the time came first.
  boost::asio::awaitable<bool> wait(std::optional<std::chrono::steady_clock::time_point> until = {});

 private:
  boost::asio::steady_timer timer_;
  bool rung_ = false;
};

struct HeldCall {
  HeldCall(const boost::asio::any_io_executor& executor, transports::Message request, Direction way)
      : message(std::move(request)), direction(way), wakeup(executor) {}

  transports::Message message;  // the exact bytes that are judged, held and forwarded
  Direction direction;
  std::uint64_t number = 0;  // of the call in this mission and writer
  CallFlow flow;
  Wakeup wakeup;
  std::function<void()> interrupt;  // set while the call is held: ends the hold early
  // Something has changed for the call: whatever its coroutine waits for, it looks again.
  void nudge() {
    wakeup.ring();
    if (interrupt) interrupt();
  }

  bool cancelled = false;  // by the requester
  bool requester_gone = false;
  bool forwarded = false;
  bool peer_gone = false;
  std::chrono::steady_clock::time_point forwarded_at{};
  std::uint64_t progress_sent = 0;  // of our own; the peer's is offset by it

  struct Answer {
    std::string result;      // raw value of result or error, for the record
    std::uint64_t size = 0;  // of the whole message
    bool is_error = false;
  };
  std::optional<Answer> answer;  // it has been passed on
};

}  // namespace proxy
