// Calls that are decided: the Router on a real ledger.

#include "proxy/session/router.hpp"

#include <stdexcept>

#include "tests/catch.hpp"
#include "tests/proxy/session/router_bench.hpp"

using namespace router_tests;

namespace {

const std::vector<std::string> nothing;

// Steps of the event loop after which something else happens: from before the decision to after the
// forwarding.
constexpr int steps_max = 8;

bool forwarded(const Bench& bench) { return !bench.server.lines.empty(); }

// A call that waits for the operator: its first progress has been sent.
void hold_write(Bench& bench, const std::string& id, const std::string& token) {
  const std::size_t before = bench.agent.lines.size();
  bench.from_agent(write_call(id, token));
  REQUIRE(bench.until([&] { return bench.agent.lines.size() > before; }));
  REQUIRE(bench.agent.lines.back().find("\"progressToken\":" + token) != std::string::npos);
}

}  // namespace

TEST_CASE("an allowed call and its answer pass byte for byte, and the answer is on record") {
  Bench bench(OnLedger::yes);
  const std::string call =
      R"( {"jsonrpc":"2.0","id":"\u00e9","method":"tools/call", "params":{"x":1.0,"name":"read_text_file",)"
      R"("arguments":{"path":"/w/\u0061"}}} )";
  bench.from_agent(call);
  REQUIRE(bench.until([&] { return forwarded(bench); }));
  CHECK(bench.server.lines == std::vector<std::string>{call});
  CHECK(bench.all_forwarded());
  bench.from_server(answer("\"é\"", R"({ "content":[] })"));
  CHECK(bench.agent.lines == std::vector<std::string>{answer("\"é\"", R"({ "content":[] })")});
  bench.from_server(answer("\"é\""));
  CHECK(bench.agent.lines.size() == 1);
  CHECK(bench.ends());
  bench.writer.reset();
  CHECK(bench.outcomes() == std::vector<std::string>{"answered"});
}

TEST_CASE("calls that wait are not more bytes than may be kept, and give their room back") {
  Bench bench(OnLedger::no, 1024, 1000);
  const auto call = [](const std::string& id, std::size_t size) {
    return R"({"jsonrpc":"2.0","id":)" + id +
           R"(,"method":"tools/call","params":{"name":"x","arguments":{"text":")" + std::string(size, 'x') +
           R"("}}})";
  };
  bench.from_agent(call("1", 800));
  bench.from_agent(call("2", 800));
  REQUIRE(bench.agent.answers("2").size() == 1);
  CHECK(bench.agent.answers("2")[0].at("error").at("code") == -32600);
  REQUIRE(bench.until([&] { return bench.agent.answers("1").size() == 1; }));
  bench.from_agent(call("3", 800));
  REQUIRE(bench.until([&] { return bench.agent.answers("3").size() == 1; }));
  CHECK(bench.agent.answers("3")[0].at("result").at("isError") == true);
  CHECK(bench.ends());
}

TEST_CASE("an answer to a call that has not been forwarded is dropped") {
  Bench bench(OnLedger::yes);
  bench.from_agent(read_call("1"));
  bench.from_server(answer("1", R"({"forged":true})"));
  bench.from_server(R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})");
  CHECK(bench.agent.lines == nothing);
  REQUIRE(bench.until([&] { return forwarded(bench); }));
  bench.from_server(answer("1"));
  CHECK(bench.agent.lines == std::vector<std::string>{answer("1")});
  CHECK(bench.ends());
}

TEST_CASE("a denied call is answered and not forwarded") {
  Bench bench(OnLedger::yes);
  bench.from_agent(request("1", "unknown/method"));
  CHECK(bench.ends());
  REQUIRE(bench.agent.answers("1").size() == 1);
  CHECK(bench.agent.answers("1")[0]["error"]["code"] == -31001);
  CHECK(bench.server.lines == nothing);
}

TEST_CASE("an id that is used again at once after its answer is answered each time") {
  Bench bench(OnLedger::yes);
  constexpr int calls = 3000;
  for (int i = 0; i < calls; ++i) {
    bench.from_agent(read_call("1", "\"t\""));
    REQUIRE(bench.until([&] { return bench.server.lines.size() == static_cast<std::size_t>(i) + 1; }));
    bench.from_server(progress("\"t\"", i));
    bench.from_server(answer("1", std::to_string(i)));
    REQUIRE(bench.agent.lines.size() == 2 * static_cast<std::size_t>(i) + 2);
    REQUIRE(bench.agent.lines.back() == answer("1", std::to_string(i)));
  }
  CHECK(bench.ends());
}

TEST_CASE(
    "a cancelled call is forwarded with its cancellation or not at all, whenever the cancellation comes") {
  for (int steps = 0; steps <= steps_max; ++steps) {
    INFO("after " << steps << " steps");
    Bench bench(OnLedger::yes);
    bench.from_agent(read_call("1"));
    bench.run(steps);
    const bool late = forwarded(bench);
    bench.from_agent(cancellation("1"));
    CHECK(bench.ends());
    CHECK(bench.server.lines ==
          (late ? std::vector<std::string>{read_call("1"), cancellation("1")} : nothing));
    CHECK(bench.agent.lines == nothing);
    // The answer crossed the cancellation: nobody waits for it any more.
    bench.from_server(answer("1"));
    CHECK(bench.agent.lines == nothing);
  }
}

TEST_CASE("a cancellation after the forwarding passes on, byte for byte") {
  Bench bench(OnLedger::yes);
  bench.from_agent(read_call("\"a\""));
  REQUIRE(bench.until([&] { return forwarded(bench); }));
  const std::string cancel =
      R"({"jsonrpc":"2.0", "method":"notifications/cancelled","params":{"requestId":"\u0061","reason":"x"}})";
  bench.from_agent(cancel);
  CHECK(bench.server.lines.back() == cancel);
  CHECK(bench.ends());
  CHECK(bench.agent.lines == nothing);
  bench.writer.reset();
  CHECK(bench.outcomes() == std::vector<std::string>{"cancelled"});
}

TEST_CASE(
    "the id of a forwarded call that was cancelled is free again once its late answer has been dropped") {
  Bench bench(OnLedger::yes);
  bench.from_agent(read_call("1"));
  REQUIRE(bench.until([&] { return forwarded(bench); }));
  bench.from_agent(cancellation("1"));
  CHECK(bench.ends());
  bench.from_agent(request("1", "ping"));  // else the late answer would be the ping's
  REQUIRE(bench.agent.answers("1").size() == 1);
  CHECK(bench.agent.answers("1")[0]["error"]["code"] == -32600);
  bench.from_server(answer("1", R"({"late":true})"));
  CHECK(bench.agent.lines.size() == 1);
  bench.from_agent(request("1", "ping"));
  bench.from_server(answer("1"));
  CHECK(bench.agent.lines.back() == answer("1"));
}

TEST_CASE("calls that are cancelled and never answered do not fill the table") {
  Bench bench(OnLedger::yes, 300);
  for (int i = 0; i < 400; ++i) {
    bench.from_agent(read_call(std::to_string(i)));
    REQUIRE(bench.until([&] { return bench.server.lines.size() == 2 * static_cast<std::size_t>(i) + 1; }));
    bench.from_agent(cancellation(std::to_string(i)));
    REQUIRE(bench.ends());
  }
  CHECK(bench.agent.lines == nothing);
}

TEST_CASE(
    "a held call that is cancelled is withdrawn and never forwarded, and the server hears nothing of it") {
  Bench bench(OnLedger::yes);
  hold_write(bench, "1", "7");
  bench.from_agent(cancellation("1"));
  CHECK(bench.ends());
  CHECK(bench.server.lines == nothing);
  CHECK(bench.agent.answers("1").empty());
  CHECK(bench.writer->state().asks().empty());
}

TEST_CASE("a held call is forwarded once it is allowed, and the server's progress goes on from ours") {
  Bench bench(OnLedger::yes);
  hold_write(bench, "1", "7");
  const std::size_t ours = bench.agent.lines.size();
  bench.from_server(progress("7", 1));  // of a call that it has not been given
  CHECK(bench.agent.lines.size() == ours);
  bench.decide(approvals::Verdict::allow);
  REQUIRE(bench.until([&] { return forwarded(bench); }));
  CHECK(bench.server.lines == std::vector<std::string>{write_call("1", "7")});
  const std::size_t sent = bench.agent.lines.size();
  bench.from_server(progress("7", 1));
  CHECK(bench.agent.lines.back() == progress("7", static_cast<int>(sent) + 1));
  bench.from_server(answer("1"));
  CHECK(bench.agent.lines.back() == answer("1"));
  CHECK(bench.ends());
}

TEST_CASE("a held call that the operator denies is answered and not forwarded") {
  Bench bench(OnLedger::yes);
  hold_write(bench, "1", "7");
  bench.decide(approvals::Verdict::deny);
  CHECK(bench.ends());
  CHECK(bench.server.lines == nothing);
  CHECK(bench.agent.answers("1").size() == 1);
}

TEST_CASE("when the server ends, the agent is told of each call once, whenever that is") {
  for (int steps = 0; steps <= steps_max; ++steps) {
    INFO("after " << steps << " steps");
    Bench bench(OnLedger::yes);
    bench.from_agent(read_call("1"));
    bench.from_agent(request("2", "ping"));
    bench.run(steps);
    bench.router->peer_gone(Direction::to_server);
    bench.router->requester_gone(Direction::to_agent);
    CHECK(bench.ends());
    CHECK(bench.agent.lines.size() == 2);
    CHECK(bench.agent.answers("1").size() == 1);
    CHECK(bench.agent.answers("2").size() == 1);
    bench.writer.reset();
    CHECK(bench.outcomes() == std::vector<std::string>{"failed"});
  }
}

TEST_CASE("when the server ends, a held call is answered and its ask withdrawn") {
  Bench bench(OnLedger::yes);
  hold_write(bench, "1", "7");
  bench.router->peer_gone(Direction::to_server);
  CHECK(bench.ends());
  CHECK(bench.agent.answers("1").size() == 1);
  CHECK(bench.server.lines == nothing);
  CHECK(bench.writer->state().asks().empty());
}

TEST_CASE("when the agent ends, what is held is withdrawn without an answer and what is decided goes on") {
  Bench bench(OnLedger::yes);
  bench.from_agent(read_call("1"));
  REQUIRE(bench.until([&] { return forwarded(bench); }));
  hold_write(bench, "2", "7");
  bench.from_agent(read_call("3"));
  bench.agent.lines.clear();
  bench.router->requester_gone(Direction::to_server);
  bench.router->peer_gone(Direction::to_agent);
  CHECK(bench.all_forwarded());
  REQUIRE(bench.until([&] { return bench.server.lines.size() == 2; }));
  CHECK(bench.server.lines.back() == read_call("3"));
  bench.from_server(answer("1"));
  bench.from_server(answer("3"));
  CHECK(bench.ends());
  CHECK(bench.agent.lines == std::vector<std::string>{answer("1"), answer("3")});
  CHECK(bench.writer->state().asks().empty());
}

TEST_CASE("every call ends when both sides do, in whatever state it is") {
  for (int steps = 0; steps <= 2 * steps_max; ++steps) {
    INFO("after " << steps << " steps");
    Bench bench(OnLedger::yes);
    bench.from_agent(read_call("1"));
    bench.from_agent(write_call("2", "7"));
    bench.from_agent(request("3", "unknown/method"));
    bench.from_server(request("4", "sampling/createMessage", R"({"messages":[]})"));
    bench.run(steps);
    bench.part();
    CHECK(bench.ends());
    CHECK(bench.writer->state().asks().empty());
    bench.from_server(answer("1"));
    CHECK(bench.agent.answers("1").size() <= 1);
  }
}

TEST_CASE("a request of the server that is judged goes the same way") {
  Bench bench(OnLedger::yes);
  const std::string sampling = request("1", "sampling/createMessage", R"({"messages":[]})");
  bench.from_server(sampling);
  REQUIRE(bench.until([&] { return !bench.agent.lines.empty(); }));
  CHECK(bench.agent.lines == std::vector<std::string>{sampling});
  bench.from_server(cancellation("1"));
  CHECK(bench.agent.lines.back() == cancellation("1"));
  CHECK(bench.ends());

  const auto again = [](const std::string& id) {
    return request(id, "sampling/createMessage", R"({"messages":[]})");
  };
  bench.from_server(again("2"));
  bench.from_server(cancellation("2"));
  CHECK(bench.ends());
  CHECK(bench.agent.lines.size() == 2);

  bench.from_server(again("3"));
  REQUIRE(bench.until([&] { return bench.agent.lines.size() == 3; }));
  bench.router->peer_gone(Direction::to_agent);
  CHECK(bench.ends());
  REQUIRE(bench.server.answers("3").size() == 1);
  CHECK(bench.server.answers("3")[0]["error"]["code"] == -31004);
}

TEST_CASE(
    "when the agent ends, a call of the server's that it has not answered is told to the server at once") {
  Bench bench(OnLedger::yes);
  bench.from_server(request("1", "sampling/createMessage", R"({"messages":[]})"));
  REQUIRE(bench.until([&] { return !bench.agent.lines.empty(); }));
  bench.router->requester_gone(Direction::to_server);
  bench.router->peer_gone(Direction::to_agent);
  CHECK(bench.all_forwarded());
  REQUIRE(bench.server.answers("1").size() == 1);
  CHECK(bench.server.answers("1")[0]["error"]["code"] == -31004);
}

TEST_CASE("when the server ends, a request of its own that was forwarded still ends") {
  Bench bench(OnLedger::yes);
  bench.from_server(request("1", "sampling/createMessage", R"({"messages":[]})"));
  REQUIRE(bench.until([&] { return !bench.agent.lines.empty(); }));
  bench.server.open = false;
  bench.router->peer_gone(Direction::to_server);
  bench.router->requester_gone(Direction::to_agent);
  bench.router->peer_gone(Direction::to_agent);
  CHECK(bench.ends());
}

TEST_CASE("a malformed answer to a call is told to the agent, and the call ends") {
  Bench bench(OnLedger::yes);
  bench.from_agent(read_call("1"));
  REQUIRE(bench.until([&] { return forwarded(bench); }));
  bench.from_server(R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})");
  bench.from_server(answer("1"));
  CHECK(bench.ends());
  REQUIRE(bench.agent.lines.size() == 1);
  CHECK(bench.agent.answers("1").at(0)["result"]["isError"] == true);
}

TEST_CASE("a call that fails inside callgate after its answer was given is not answered again") {
  for (const bool denied : {true, false}) {
    INFO((denied ? "refused by us" : "answered by the server"));
    Bench bench(OnLedger::yes);
    // Takes the line, then fails.
    bench.router->to_agent = [&](std::string line) -> bool {
      bench.agent.lines.push_back(std::move(line));
      throw std::runtime_error("no memory left");
    };
    bench.from_agent(denied ? request("1", "unknown/method") : read_call("1"));
    if (!denied) {
      REQUIRE(bench.until([&] { return forwarded(bench); }));
      CHECK_THROWS_AS(bench.from_server(answer("1")), std::runtime_error);
      bench.part();
    }
    CHECK(bench.ends());
    CHECK(bench.agent.lines.size() == 1);
    bench.router->to_agent = bench.agent.outlet();
    bench.from_agent(request("1", "ping"));  // its id is free again
    CHECK(bench.server.lines.back() == request("1", "ping"));
  }
}

TEST_CASE("a call that fails inside callgate is answered once, and a late answer of the server is dropped") {
  for (const bool late : {false, true}) {
    INFO((late ? "after it was forwarded" : "before it was forwarded"));
    Bench bench(OnLedger::yes);
    bench.router->to_server = [&](std::string line) -> bool {
      if (late) bench.server.lines.push_back(std::move(line));
      throw std::runtime_error("no memory left");
    };
    bench.from_agent(read_call("1"));
    CHECK(bench.ends());
    REQUIRE(bench.agent.answers("1").size() == 1);
    CHECK(bench.agent.answers("1")[0]["result"]["isError"] == true);
    bench.from_server(answer("1"));
    CHECK(bench.agent.lines.size() == 1);
  }
}

TEST_CASE("an outlet that is closed when a call is forwarded is told to the agent") {
  Bench bench(OnLedger::yes);
  bench.server.open = false;
  bench.from_agent(read_call("1"));
  CHECK(bench.ends());
  CHECK(bench.agent.answers("1").size() == 1);
  CHECK(bench.all_forwarded());
}
