#pragma once
// Wakes one waiting coroutine. A ring before the wait is not lost.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <optional>

namespace proxy {

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

}  // namespace proxy
