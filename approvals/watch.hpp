#pragma once
// Carries out holds (hold.hpp): one Watch a process, one Held a call. The ledger is read on the event loop,
// and only while calls are held: at its doorbell (milliseconds after an answer) and by a slow poll behind it.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "approvals/hold.hpp"
#include "ledger/writer.hpp"

namespace approvals {

class Held;

class Watch {
 public:
  // What an operator should know: answers that are not genuine, a ledger that cannot be read.
  using Report = std::function<void(const std::string& sentence)>;

  // All of it, and all Held, on this executor, by one thread.
  Watch(boost::asio::any_io_executor executor, ledger::Place place, Report report);
  // No Held may be waiting.
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  friend class Held;
  class Impl;
  std::shared_ptr<Impl> impl_;  // shared with its own pending waits, which end after it
};

// One held call. Neither copied nor moved.
class Held {
 public:
  // `progress` runs on the executor, for each progress that is to be sent, with 1, 2, 3, …; it must not
  // block. `overtaken` is asked about once a second while the call waits, there too; true ends the wait.
  Held(Watch& watch, HoldTerms terms, std::function<void(std::uint64_t count)> progress,
       std::function<bool()> overtaken = {});
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  // Once. Ends at once when the ask is decided already (a detached call's repeat). Cancelling the coroutine
  // (asio) is the same as cancel(): it ends normally with Fate::cancelled.
  boost::asio::awaitable<Resolution> wait();
  // The client cancelled or is gone. From the executor, any number of times.
  void cancel();

 private:
  friend class Watch::Impl;
  void wake();

  std::shared_ptr<Watch::Impl> watch_;  // a Held may outlive the Watch that is torn down in another order
  HoldState state_;
  std::function<void(std::uint64_t)> progress_;
  std::function<bool()> overtaken_;
  boost::asio::steady_timer timer_;
  bool waiting_ = false;
};

}  // namespace approvals
