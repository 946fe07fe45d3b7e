#include "proxy/mission/durable_append.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <utility>

namespace proxy {

namespace asio = boost::asio;
using AppendResult = base::Result<ledger::Written>;

asio::awaitable<AppendResult> DurableAppend::append(ledger::Append records) {
  const auto executor = co_await asio::this_coro::executor;
  auto initiate = [this, &records, executor](auto handler) {
    // std::function needs a copyable callable; the handler is not. Shared for that alone.
    auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    writer_->gather(std::move(records), [shared, executor](AppendResult result) {
      // At once when the loop itself wrote, else from the worker's thread.
      asio::dispatch(executor,
                     [shared, result = std::move(result)]() mutable { (*shared)(std::move(result)); });
    });
    if (std::exchange(write_posted_, true)) return;
    asio::post(executor, [this] {
      write_posted_ = false;
      writer_->write();
    });
  };
  co_return co_await asio::async_initiate<decltype(asio::use_awaitable), void(AppendResult)>(
      initiate, asio::use_awaitable);
}

}  // namespace proxy
