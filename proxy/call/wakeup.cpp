#include "proxy/call/wakeup.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace proxy {

using std::chrono::steady_clock;

Wakeup::Wakeup(const boost::asio::any_io_executor& executor) : timer_(executor) {}

void Wakeup::ring() {
  rung_ = true;
  timer_.cancel();
}

boost::asio::awaitable<bool> Wakeup::wait(std::optional<steady_clock::time_point> until) {
  if (!rung_) {
    timer_.expires_at(until.value_or(steady_clock::time_point::max()));
    boost::system::error_code ignored;
    co_await timer_.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
  }
  const bool rung = rung_;
  rung_ = false;
  co_return rung;
}

}  // namespace proxy
