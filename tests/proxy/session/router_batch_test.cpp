// Batches of revision 2025-03-26: the Router on a real ledger.

#include <map>
#include <string>

#include "proxy/base/json.hpp"
#include "tests/catch.hpp"
#include "tests/proxy/session/router_bench.hpp"

using namespace router_tests;

namespace {

const std::vector<std::string> nothing;

// A session under this revision, with nothing on either side.
void begin(Bench& bench, const std::string& revision) {
  bench.from_agent(request("0", "initialize"));
  bench.from_server(answer("0", R"({"protocolVersion":")" + revision + "\"}"));
  bench.server.lines.clear();
  bench.agent.lines.clear();
}

}  // namespace

TEST_CASE("under 2025-03-26 a batch is taken apart, each message judged, and the answers are one batch") {
  Bench bench(OnLedger::yes);
  begin(bench, "2025-03-26");
  bench.from_agent(" [ " + read_call("1") + " , " + request("2", "unknown/method") + ",7," +
                   cancellation("99") + "," + request("3", "ping") + "]");
  REQUIRE(bench.until([&] { return bench.server.lines.size() == 3; }));
  CHECK(bench.server.lines ==
        std::vector<std::string>{cancellation("99"), request("3", "ping"), read_call("1")});
  CHECK(bench.agent.lines == nothing);
  bench.from_server(answer("3"));
  CHECK(bench.agent.lines == nothing);
  bench.from_server(answer("1"));
  CHECK(bench.ends());
  REQUIRE(bench.agent.lines.size() == 1);
  const auto answers = base::json::parse(bench.agent.lines[0]);
  REQUIRE(answers.has_value());
  REQUIRE(answers->size() == 4);
  CHECK(answers->at(0).at("error").at("code") == -32600);  // 7 is no message
  std::map<int, base::json::Value> by_id;                  // in the order in which they came to be
  for (std::size_t i = 1; i < 4; ++i) by_id[answers->at(i).at("id").get<int>()] = answers->at(i);
  REQUIRE(by_id.size() == 3);
  CHECK(by_id[1].contains("result"));
  CHECK(by_id[2].at("error").at("code") == -31001);
  CHECK(by_id[3].contains("result"));
}

TEST_CASE("a cancelled request of a batch holds up no other, and its answer is missing") {
  Bench bench(OnLedger::yes);
  begin(bench, "2025-03-26");
  bench.from_agent("[" + read_call("1") + "," + read_call("2") + "]");
  REQUIRE(bench.until([&] { return bench.server.lines.size() == 2; }));
  bench.from_server(answer("2"));
  CHECK(bench.agent.lines == nothing);
  bench.from_agent(cancellation("1"));
  CHECK(bench.ends());
  CHECK(bench.agent.lines == std::vector<std::string>{"[" + answer("2") + "]"});
}

TEST_CASE("a batch of the server is taken apart too, and answers in a batch find their requests") {
  Bench bench(OnLedger::yes);
  begin(bench, "2025-03-26");
  bench.from_agent(request("1", "ping"));
  bench.from_server("[" + answer("1") + "," + request("a1", "ping") + "]");  // no id
  bench.from_server("[" + answer("1") + "," + request("5", "ping") + "," + request("6", "roots/list") + "]");
  CHECK(bench.agent.lines ==
        std::vector<std::string>{answer("1"), request("5", "ping"), request("6", "roots/list")});
  bench.server.lines.clear();
  bench.from_agent("[" + answer("6") + "," + answer("5") + "]");
  CHECK(bench.server.lines == std::vector<std::string>{"[" + answer("6") + "," + answer("5") + "]"});
}

TEST_CASE("a batch is refused whole in every other revision, before the handshake, and when it is none") {
  for (const char* revision : {"", "2024-11-05", "2025-06-18", "2025-11-25"}) {
    INFO(revision);
    Bench bench(OnLedger::yes);
    if (*revision != 0) begin(bench, revision);
    bench.from_agent("[" + request("3", "ping") + "]");
    CHECK(bench.server.lines == nothing);
    REQUIRE(bench.agent.answers("null").size() == 1);
  }
  Bench bench(OnLedger::yes);
  begin(bench, "2025-03-26");
  bench.from_agent("[]");
  bench.from_agent("[" + request("3", "ping") + "");
  bench.from_agent("[" + request("4", "initialize") + "]");
  CHECK(bench.server.lines == nothing);
  CHECK(bench.agent.lines.size() == 3);
}
