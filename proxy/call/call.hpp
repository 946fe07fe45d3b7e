#pragma once
// One judged request on its way through the gate. Shared by the table of requests and the gate's coroutine:
// either may be done with it first.

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proxy/call/answer_check.hpp"
#include "proxy/call/direction.hpp"
#include "proxy/call/flow.hpp"
#include "proxy/call/wakeup.hpp"
#include "transports/message.hpp"

namespace proxy {

struct Call {
  Call(const boost::asio::any_io_executor& executor, transports::Message request, Direction way)
      : message(std::move(request)), direction(way), wakeup(executor) {}

  transports::Message message;  // the exact bytes that are judged, held and forwarded
  Direction direction;
  std::uint64_t number = 0;  // in this mission and writer
  CallFlow flow;             // knows whether the requester cancelled

  // Something has changed for the call: whatever its coroutine waits for, it looks again.
  void nudge() {
    wakeup.ring();
    if (interrupt) interrupt();
  }
  Wakeup wakeup;
  std::function<void()> interrupt;  // set while the call is held: ends the hold early

  bool requester_gone = false;
  bool peer_gone = false;
  bool forwarded = false;
  bool told = false;  // the requester has been answered by us
  std::chrono::steady_clock::time_point forwarded_at{};
  std::uint64_t progress_sent = 0;  // of our own; the peer's is offset by it

  // Set when it is forwarded.
  std::vector<std::shared_ptr<const policy::Rule>> result_rules;  // that its answer is held against
  std::string note;  // what the requester is told with the answer; may be empty

  struct Answer {
    std::string result;      // raw value of result or error as passed on, without `note`, for the record
    std::uint64_t size = 0;  // of the whole message, as it came
    bool is_error = false;
    bool withheld = false;
    std::vector<ResultFinding> findings = {};
  };
  std::optional<Answer> answer;  // the peer's; it has been passed on, or an error in its place
  // The peer's, as it came, where a person says first whether it is passed on (held_answer.hpp).
  std::optional<transports::Message> arrived;

  // Whether an answer of the peer would be passed on.
  bool awaited() const { return forwarded && !arrived && !told && !flow.cancelled(); }
};

}  // namespace proxy
