// Answers that a rule asks for: the Router on a real ledger.

#include "proxy/base/json.hpp"
#include "tests/catch.hpp"
#include "tests/proxy/session/router_bench.hpp"

using namespace router_tests;

namespace {

const std::vector<std::string> nothing;

// Answers that hold KEY wait for the operator.
struct AskingBench : Bench {
  explicit AskingBench(std::size_t calls_bytes_max = transports::Limits{}.calls_bytes_max)
      : Bench(OnLedger::yes, 8, calls_bytes_max, "[[ask]]\nid = \"keys\"\nresult = \"KEY\"\n") {}

  // A call whose answer is held.
  void hold(const std::string& id) {
    const std::size_t asked = writer->state().asks().size();
    const std::size_t before = server.lines.size();
    from_agent(read_call(id));
    REQUIRE(until([&] { return server.lines.size() > before; }));
    from_server(key(id));
    REQUIRE(until([&] { return writer->state().asks().size() > asked; }));
    CHECK(agent.answers(id).empty());
  }
  static std::string key(const std::string& id) {
    return answer(id, R"({"content":"the KEY of )" + id + "\"}");
  }
  std::string told(const std::string& id) const {
    const auto answers = agent.answers(id);
    REQUIRE(answers.size() == 1);
    return answers.front().dump();
  }
};

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a held answer passes byte for byte once it is allowed, and no other one in its place") {
  AskingBench bench;
  bench.hold("1");
  bench.from_server(answer("1"));
  bench.from_server(AskingBench::key("1"));
  bench.from_agent(read_call("1"));  // its id is taken
  CHECK(contains(bench.told("1"), "already in use"));
  bench.agent.lines.clear();
  bench.decide(approvals::Verdict::allow);
  CHECK(bench.ends());
  CHECK(bench.agent.lines == std::vector<std::string>{AskingBench::key("1")});
  // The id is free again.
  bench.from_agent(read_call("1"));
  REQUIRE(bench.until([&] { return bench.server.lines.size() == 2; }));
  bench.from_server(answer("1"));
  CHECK(bench.ends());
  CHECK(bench.agent.lines.back() == answer("1"));
}

TEST_CASE("an answer is withheld when the operator refuses it") {
  AskingBench bench;
  bench.hold("1");
  bench.decide(approvals::Verdict::deny, "mine");
  CHECK(bench.ends());
  CHECK(contains(bench.told("1"), "was executed, and its result is withheld: the operator refused it: mine"));
  bench.writer.reset();
  CHECK(bench.outcomes().back() == "answered");
}

TEST_CASE("a call that is cancelled while its answer is held gets none, also after further answers") {
  for (const bool another : {false, true}) {
    AskingBench bench;
    bench.hold("1");
    if (another) bench.from_server(answer("1"));
    bench.from_agent(cancellation("1"));
    CHECK(bench.ends());
    CHECK(bench.agent.lines == nothing);
    CHECK(bench.writer->state().asks().empty());
    bench.writer.reset();
    CHECK(bench.outcomes().back() == "cancelled");
  }
}

TEST_CASE("a side that ends while an answer is held ends the wait") {
  {
    AskingBench bench;
    bench.hold("1");
    bench.router->requester_gone(Direction::to_server);
    CHECK(bench.ends());
    CHECK(bench.agent.lines == nothing);
    CHECK(bench.writer->state().asks().empty());
  }
  AskingBench bench;
  bench.hold("1");
  bench.router->peer_gone(Direction::to_server);
  CHECK(bench.ends());
  CHECK(contains(bench.told("1"), "when the server ended"));
  CHECK(bench.writer->state().asks().empty());
}

TEST_CASE("held answers are not more bytes than may be kept, and give their room back") {
  AskingBench bench(600);
  const std::string large = answer("1", R"({"content":"KEY)" + std::string(500, '.') + "\"}");
  for (int round = 0; round < 2; ++round) {
    bench.agent.lines.clear();
    bench.server.lines.clear();
    bench.from_agent(read_call("1"));
    REQUIRE(bench.until([&] { return !bench.server.lines.empty(); }));
    bench.from_server(large);
    CHECK(bench.ends());
    CHECK(contains(bench.told("1"), "withheld"));
    bench.hold("2");
    bench.decide(approvals::Verdict::allow);
    CHECK(bench.ends());
    CHECK(bench.agent.lines.back() == AskingBench::key("2"));
  }
}

TEST_CASE("a batch goes out whole once its last answer has been asked for") {
  AskingBench bench;
  bench.from_agent(request("0", "initialize"));
  bench.from_server(answer("0", R"({"protocolVersion":"2025-03-26"})"));
  bench.agent.lines.clear();
  bench.server.lines.clear();
  bench.from_agent("[" + read_call("1") + "," + read_call("2") + "]");
  REQUIRE(bench.until([&] { return bench.server.lines.size() == 2; }));
  bench.from_server(AskingBench::key("1"));
  bench.from_server(answer("1"));
  bench.from_server(answer("2"));
  REQUIRE(bench.until([&] { return !bench.writer->state().asks().empty(); }));
  CHECK(bench.agent.lines == nothing);
  bench.decide(approvals::Verdict::allow);
  CHECK(bench.ends());
  CHECK(bench.agent.lines == std::vector<std::string>{"[" + answer("2") + "," + AskingBench::key("1") + "]"});
}
