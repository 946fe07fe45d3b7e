#include "proxy/call/wakeup.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <exception>

#include "tests/catch.hpp"

using std::chrono::steady_clock;

namespace {

boost::asio::awaitable<void> wait(proxy::Wakeup& wakeup, int& woken) {
  const bool rung = co_await wakeup.wait();
  if (rung) ++woken;
}

boost::asio::awaitable<void> wait_until(proxy::Wakeup& wakeup, steady_clock::time_point until, bool& rung) {
  rung = co_await wakeup.wait(until);
}

void rethrow(std::exception_ptr failure) {
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

TEST_CASE("a ring wakes who waits, and one before the wait is not lost") {
  boost::asio::io_context loop;
  proxy::Wakeup wakeup(loop.get_executor());
  int woken = 0;
  boost::asio::co_spawn(loop, wait(wakeup, woken), rethrow);
  loop.poll();
  CHECK(woken == 0);
  wakeup.ring();
  loop.run();
  CHECK(woken == 1);
  loop.restart();
  wakeup.ring();
  wakeup.ring();  // two rings before one wait are one
  boost::asio::co_spawn(loop, wait(wakeup, woken), rethrow);
  loop.run();
  CHECK(woken == 2);
  loop.restart();
  boost::asio::co_spawn(loop, wait(wakeup, woken), rethrow);
  loop.poll();
  CHECK(woken == 2);
}

TEST_CASE("a wait ends without a ring when its time has come") {
  boost::asio::io_context loop;
  proxy::Wakeup wakeup(loop.get_executor());
  bool rung = true;
  boost::asio::co_spawn(loop, wait_until(wakeup, steady_clock::now(), rung), rethrow);
  loop.run();
  CHECK_FALSE(rung);
}
