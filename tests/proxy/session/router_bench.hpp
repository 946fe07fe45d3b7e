#pragma once
// A Router between two sides that collect what they are given.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "proxy/base/json.hpp"
#include "proxy/call/direction.hpp"
#include "proxy/session/router.hpp"
#include "tests/catch.hpp"
#include "tests/proxy/call/gate_bench.hpp"
#include "transports/limits.hpp"

namespace router_tests {

using gate_tests::OnLedger;
using proxy::Direction;

struct Side {
  std::vector<std::string> lines;
  bool open = true;

  proxy::Outlet outlet() {
    return [this](std::string line) {
      if (open) lines.push_back(std::move(line));
      return open;
    };
  }
  // Answers with this id, as spelled.
  std::vector<base::json::Value> answers(const std::string& id) const {
    std::vector<base::json::Value> found;
    for (const std::string& line : lines) {
      const auto value = base::json::parse(line);
      if (value && value->contains("id") && !value->contains("method") && (*value)["id"].dump() == id)
        found.push_back(*value);
    }
    return found;
  }
};

inline std::string request(const std::string& id, const std::string& method,
                           const std::string& params = "{}") {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + params + "}";
}
// With `meta` a progress token, as spelled.
inline std::string read_call(const std::string& id, const std::string& token = "") {
  const std::string meta = token.empty() ? "" : R"("_meta":{"progressToken":)" + token + "},";
  return request(id, "tools/call", "{" + meta + R"("name":"read_text_file","arguments":{"path":"/w/a"}})");
}
inline std::string write_call(const std::string& id, const std::string& token) {
  return request(id, "tools/call",
                 R"({"_meta":{"progressToken":)" + token +
                     R"(},"name":"write_file","arguments":{"path":"/w/a","content":"x"}})");
}
inline std::string answer(const std::string& id, const std::string& result = "{}") {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + result + "}";
}
inline std::string cancellation(const std::string& id) {
  return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id + "}}";
}
inline std::string progress(const std::string& token, int count) {
  return R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + token +
         R"(,"progress":)" + std::to_string(count) + "}}";
}

// A Router over a GateBench.
class Bench : public gate_tests::GateBench {
 public:
  explicit Bench(OnLedger on_ledger, std::size_t requests_max = 1024,
                 std::size_t calls_bytes_max = transports::Limits{}.calls_bytes_max,
                 const std::string& more_rules = "")
      : GateBench(on_ledger, more_rules) {
    limits_.requests_max = requests_max;
    limits_.calls_bytes_max = calls_bytes_max;
    router = std::make_unique<proxy::Router>(loop.get_executor(), *gate, limits_, log());
    router->to_server = server.outlet();
    router->to_agent = agent.outlet();
  }
  // Whatever a failed test left under way ends before what it stands on.
  ~Bench() {
    part();
    ends();
  }

  void from_agent(const std::string& line) { router->take(Direction::to_server, {line, {}}); }
  void from_server(const std::string& line) { router->take(Direction::to_agent, {line, {}}); }

  // Until every running call is over.
  bool ends() { return awaits(router->all_over()); }
  bool all_forwarded() { return awaits(router->all_forwarded()); }
  // Both sides leave.
  void part() {
    router->requester_gone(Direction::to_server);
    router->peer_gone(Direction::to_agent);
    router->peer_gone(Direction::to_server);
    router->requester_gone(Direction::to_agent);
  }

 private:
  transports::Limits limits_;

 public:
  Side server, agent;
  std::unique_ptr<proxy::Router> router;
};

}  // namespace router_tests
