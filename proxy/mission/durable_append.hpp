#pragma once
// Appends to the ledger from the event loop.

#include <boost/asio/awaitable.hpp>

#include "ledger/writer.hpp"
#include "proxy/base/error.hpp"

namespace proxy {

class DurableAppend {
 public:
  // Null: there is no ledger, and it is not called.
  explicit DurableAppend(ledger::Writer* writer) : writer_(writer) {}
  DurableAppend(const DurableAppend&) = delete;
  DurableAppend& operator=(const DurableAppend&) = delete;

  // Comes back on the event loop once the append is durable or has failed. What one turn of the loop appends
  // is written as one batch at its end.
  boost::asio::awaitable<base::Result<ledger::Written>> append(ledger::Append records);

 private:
  ledger::Writer* writer_;
  bool write_posted_ = false;  // to the event loop: what was gathered is written next
};

}  // namespace proxy
