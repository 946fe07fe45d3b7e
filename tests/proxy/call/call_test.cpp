#include "proxy/call/call.hpp"

#include <boost/asio/io_context.hpp>

#include "tests/catch.hpp"

using proxy::Call;
using proxy::Direction;

TEST_CASE("an answer of the peer is awaited from the forwarding until the requester has one or gives up") {
  boost::asio::io_context loop;
  Call call(loop.get_executor(), {}, Direction::to_server);
  CHECK_FALSE(call.awaited());
  call.forwarded = true;
  CHECK(call.awaited());
  call.told = true;
  CHECK_FALSE(call.awaited());
  call.told = false;
  call.flow.cancel();
  CHECK_FALSE(call.awaited());
}

TEST_CASE("a nudge interrupts a hold, and without one it only rings") {
  boost::asio::io_context loop;
  Call call(loop.get_executor(), {}, Direction::to_server);
  call.nudge();
  int interrupted = 0;
  call.interrupt = [&] { ++interrupted; };
  call.nudge();
  CHECK(interrupted == 1);
}
