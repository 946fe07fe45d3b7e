#pragma once
// One call on its way through the gate of a GateBench.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "proxy/base/json.hpp"
#include "tests/proxy/call/gate_bench.hpp"

namespace gate_tests {

using proxy::Call;
using proxy::Direction;
using Lines = std::vector<std::string>;

inline constexpr const char* write_call =
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_file",)"
    R"("arguments":{"path":"/w/a","content":"x"}}})";

struct Way {
  explicit Way(GateBench& on, const std::string& request = write_call) : bench(on) {
    auto parsed = transports::parse(request, {});
    REQUIRE(parsed);
    call =
        std::make_shared<Call>(bench.loop.get_executor(), std::move(parsed.message()), Direction::to_server);
    proxy::Ends ends;
    ends.to_requester = ends.answer = [this](const std::string& line) { return told.push_back(line), true; };
    ends.to_peer = [this](const std::string& line) { return forwarded.push_back(line), true; };
    boost::asio::co_spawn(bench.loop, bench.gate->run(call, std::move(ends)),
                          [this](std::exception_ptr failure) {
                            over = true;
                            failed = failure != nullptr;
                          });
  }
  ~Way() {
    call->peer_gone = true;
    call->nudge();
    ends();
  }
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;

  bool ends() {
    return bench.until([this] { return over; }) && !failed;
  }
  bool held() {
    return bench.until([this] { return call->interrupt != nullptr; });
  }
  // What the agent was told; one answer, a tool's result.
  std::string text() const {
    REQUIRE(told.size() == 1);
    const auto answer = base::json::parse(told.front());
    REQUIRE(answer.has_value());
    CHECK((*answer)["result"]["isError"] == true);
    return (*answer)["result"]["content"][0]["text"];
  }

  GateBench& bench;
  std::shared_ptr<Call> call;
  Lines told, forwarded;
  bool over = false;
  bool failed = false;
};

}  // namespace gate_tests
