#pragma once
// A Router between two sides that collect what they are given, without a ledger or on a scratch one.

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "approvals/answer.hpp"
#include "approvals/operator_key.hpp"
#include "policy/path.hpp"
#include "proxy/base/json.hpp"
#include "proxy/mission.hpp"
#include "proxy/router.hpp"
#include "tests/approvals/samples.hpp"
#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"
#include "tests/policy/scenes.hpp"

namespace router_tests {

using proxy::Direction;

// Reading is allowed, writing asked, all else denied.
inline constexpr const char* rules = R"(
[[allow]]
id = "read-here"
read = ["**"]
[[allow]]
id = "model"
server = "files"
method = "sampling/createMessage"
[[ask]]
id = "write-here"
write = ["**"]
)";

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

enum class OnLedger { no, yes };

class Bench {
 public:
  explicit Bench(OnLedger on_ledger, std::size_t pending_max = 1024)
      : guard_(boost::asio::make_work_guard(loop_)),
        policy_(policy_tests::load(rules)),
        scene_(policy_tests::scene(links_)) {
    limits_.pending_max = pending_max;
    std::string mission;
    if (on_ledger == OnLedger::yes) {
      auto options = scratch::options();
      options.operator_key = [] {
        return base::Result<std::string>(approvals::public_text(approvals::samples::key()));
      };
      writer = ledger::Writer::open(folder_.place(), options).value();
      mission = proxy::join_mission(*writer, {proxy::agent_process(), "/w", "", &policy_}).value();
    }
    const auto log = [this](std::string_view text) { logged.emplace_back(text); };
    watch_ = std::make_unique<approvals::Watch>(loop_.get_executor(), folder_.place(), log);
    gate_ = std::make_unique<proxy::CallGate>(proxy::GateParts{
        policy_, scene_, config_, writer.get(), folder_.place(), *watch_, log, mission, "files", "files"});
    router = std::make_unique<proxy::Router>(loop_.get_executor(), *gate_, limits_, log);
    router->to_server = server.outlet();
    router->to_agent = agent.outlet();
  }
  // Whatever a failed test left under way ends before what it stands on.
  ~Bench() {
    part();
    ends();
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void from_agent(const std::string& line) { router->take(Direction::to_server, {line, {}}); }
  void from_server(const std::string& line) { router->take(Direction::to_agent, {line, {}}); }

  // Runs until the condition holds; false: it never came.
  bool until(const std::function<bool()>& met) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!met()) {
      if (std::chrono::steady_clock::now() > give_up) return false;
      loop_.run_one_for(std::chrono::milliseconds(100));
    }
    return true;
  }
  // That many steps of the event loop.
  void run(int steps) {
    for (int i = 0; i < steps; ++i) loop_.run_one_for(std::chrono::milliseconds(5));
  }
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
  // The operator answers the one ask that stands.
  void decide(approvals::Verdict verdict) {
    const ledger::Fold fold = writer->state();
    REQUIRE(fold.asks().size() == 1);
    const auto reader = ledger::Reader::open(folder_.place()).value();
    const auto decision = reader->record(fold.asks().begin()->first).value();
    REQUIRE(decision.has_value());
    writer
        ->append_now(approvals::make_answer(decision->record, decision->leaf, verdict, "", base::wall_now(),
                                            approvals::samples::key(), std::string(16, 'n')))
        .value();
  }
  // Outcomes on record, in order.
  std::vector<std::string> outcomes() const {
    std::vector<std::string> found;
    for (const auto& stored : records())
      if (stored.record.outcome) found.push_back(stored.record.outcome->status);
    return found;
  }
  std::vector<ledger::StoredRecord> records() const { return scratch::all_records(folder_.place()); }

 private:
  bool awaits(boost::asio::awaitable<void> what) {
    const auto done = std::make_shared<bool>(false);
    boost::asio::co_spawn(loop_, std::move(what), [done](std::exception_ptr) { *done = true; });
    return until([done] { return *done; });
  }

  scratch::Folder folder_;
  boost::asio::io_context loop_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
  transports::Limits limits_;
  policy::Policy policy_;
  policy::FileSystem links_;
  policy::Scene scene_;
  proxy::Config config_;
  std::unique_ptr<approvals::Watch> watch_;
  std::unique_ptr<proxy::CallGate> gate_;

 public:
  Side server, agent;
  std::vector<std::string> logged;
  std::unique_ptr<ledger::Writer> writer;
  std::unique_ptr<proxy::Router> router;
};

}  // namespace router_tests
