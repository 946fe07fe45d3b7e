#include "proxy/session/router.hpp"

#include "tests/catch.hpp"
#include "tests/proxy/session/router_bench.hpp"

using namespace router_tests;

namespace {

const std::vector<std::string> nothing;

int error_code(const base::json::Value& answer) {
  return answer.contains("error") ? answer["error"]["code"].get<int>() : 0;
}

}  // namespace

TEST_CASE("no clientInfo, however odd, stops a session") {
  for (const char* client : {"", R"("clientInfo":7,)", R"("clientInfo":null,)", R"("clientInfo":[],)",
                             R"("clientInfo":{},)", R"("clientInfo":{"name":3,"version":null},)",
                             R"("clientInfo":{"name":{"name":"x"}},)", R"("clientInfo":"\ud800",)"}) {
    INFO(client);
    Bench bench(OnLedger::no);
    int initialized = 0;
    bench.router->on_initialized = [&](const proxy::Handshake& said) {
      ++initialized;
      CHECK(said.client_name == "");
      CHECK(said.client_version == "");
    };
    const std::string hello =
        request("1", "initialize", std::string("{") + client + R"("protocolVersion":"2025-06-18"})");
    bench.from_agent(hello);
    if (bench.server.lines.empty()) {  // no valid JSON: refused aloud
      CHECK(bench.agent.lines.size() == 1);
      continue;
    }
    CHECK(bench.server.lines == std::vector<std::string>{hello});
    const std::string welcome = answer("1", R"({"protocolVersion":5,"serverInfo":"none"})");
    bench.from_server(welcome);
    CHECK(bench.agent.lines == std::vector<std::string>{welcome});
    CHECK(initialized == 1);
    bench.from_agent(read_call("2"));
    CHECK(bench.ends());
    CHECK(bench.agent.answers("2").size() == 1);
  }
}

TEST_CASE("initialize without params is passed on, and an initialize that fails begins no session") {
  Bench bench(OnLedger::no);
  bench.router->on_initialized = [](const proxy::Handshake&) { FAIL_CHECK("a session began"); };
  bench.from_agent(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})");
  bench.from_server(R"({"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}})");
  CHECK(bench.server.lines.size() == 1);
  CHECK(bench.agent.lines.size() == 1);
}

TEST_CASE("what both sides claim in initialize is told, bounded") {
  Bench bench(OnLedger::no);
  proxy::Handshake heard;
  bench.router->on_initialized = [&](const proxy::Handshake& said) { heard = said; };
  bench.from_agent(request("\"i\"", "initialize",
                           R"({"clientInfo":{"name":")" + std::string(5000, 'n') + R"(","version":"2"}})"));
  bench.from_server(answer("\"i\"", R"({"protocolVersion":"p","serverInfo":{"name":"s","version":"3"}})"));
  CHECK(heard.client_name.size() < 300);
  CHECK(heard.client_name.substr(0, 10) == "nnnnnnnnnn");
  CHECK(heard.client_version == "2");
  CHECK(heard.protocol == "p");
  CHECK(heard.server_name == "s");
  CHECK(heard.server_version == "3");
}

TEST_CASE("free messages pass byte for byte in both directions") {
  Bench bench(OnLedger::no);
  const std::vector<std::string> to_server{
      R"( {"method" : "tools/list",  "jsonrpc":"2.0", "id":"\u00e9", "x":[1.0,1e2,"\/"]} )",
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
      R"({"id":0,"jsonrpc":"2.0","method":"ping"})",
      R"({"jsonrpc":"2.0","method":"notifications/unknown","params":{"é":"é"}})",
      cancellation("77"),
      progress("\"p\"", 4),
  };
  for (const std::string& line : to_server) bench.from_agent(line);
  CHECK(bench.server.lines == to_server);
  const std::vector<std::string> to_agent{
      R"({ "result":{"tools":[ ]}, "id":"é","jsonrpc":"2.0" })",
      R"({"jsonrpc":"2.0","id":0,"method":"ping"})",
      R"({"jsonrpc":"2.0","id":"r","method":"roots/list" })",
      R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"\u0041"}})",
      R"({"jsonrpc":"2.0","id":0,"error":{"code":-5,"message":"no"}})",
      progress("3", 1),
  };
  for (const std::string& line : to_agent) bench.from_server(line);
  CHECK(bench.agent.lines == to_agent);
  CHECK(bench.server.lines.size() == to_server.size());
}

TEST_CASE("without a ledger every judged request is answered with an error, and nothing of it is forwarded") {
  for (const Direction direction : {Direction::to_server, Direction::to_agent}) {
    Bench bench(OnLedger::no);
    Side& requester = direction == Direction::to_server ? bench.agent : bench.server;
    Side& peer = direction == Direction::to_server ? bench.server : bench.agent;
    const std::vector<std::string> judged{
        read_call("1"),
        request("2", "resources/read", R"({"uri":"file:///w/a"})"),
        request("3", "prompts/get", R"({"name":"p"})"),
        request("4", "unknown/method", R"({"x":1})"),
        request("5", "sampling/createMessage", R"({"messages":[]})"),
        request("6", "elicitation/create"),
        R"({"jsonrpc":"2.0","id":7,"method":"Tools/list"})",
    };
    for (const std::string& line : judged) bench.router->take(direction, {line, {}});
    CHECK(bench.ends());
    CHECK(peer.lines == nothing);
    CHECK(requester.lines.size() == judged.size());
    REQUIRE(requester.answers("1").size() == 1);
    CHECK(requester.answers("1")[0]["result"]["isError"] == true);
    for (const char* id : {"2", "3", "4", "5", "6", "7"}) {
      REQUIRE(requester.answers(id).size() == 1);
      CHECK(error_code(requester.answers(id)[0]) == -31003);
    }
  }
}

TEST_CASE("an answer that nobody waits for is dropped, and so is a second one") {
  Bench bench(OnLedger::no);
  bench.from_server(answer("1"));
  bench.from_agent(request("1", "ping"));
  bench.from_server(answer("\"1\""));
  bench.from_server(answer("2"));
  bench.from_agent(answer("1"));  // the agent answers its own request
  CHECK(bench.agent.lines == nothing);
  CHECK(bench.server.lines.size() == 1);
  bench.from_server(answer("1", R"({"first":1})"));
  bench.from_server(answer("1", R"({"second":1})"));
  bench.from_server(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}})");
  CHECK(bench.agent.lines == std::vector<std::string>{answer("1", R"({"first":1})")});
  CHECK(bench.logged.size() == 6);
}

TEST_CASE("an id in use is refused, and the first request is still answered") {
  Bench bench(OnLedger::no);
  bench.from_agent(request("\"\\u0061\"", "ping"));
  bench.from_agent(request("\"a\"", "tools/list"));
  bench.from_agent(read_call("\"a\""));
  CHECK(bench.server.lines.size() == 1);
  REQUIRE(bench.agent.answers("\"a\"").size() == 2);
  CHECK(error_code(bench.agent.answers("\"a\"")[0]) == -32600);
  CHECK(error_code(bench.agent.answers("\"a\"")[1]) == -32600);
  bench.from_server(answer("\"a\"", R"({"of":"ping"})"));
  CHECK(bench.agent.lines.back() == answer("\"a\"", R"({"of":"ping"})"));
  CHECK(bench.ends());
}

TEST_CASE("a full table refuses, in its own direction only, until something is answered") {
  Bench bench(OnLedger::no, 2);
  bench.from_agent(request("1", "ping"));
  bench.from_agent(request("2", "ping"));
  bench.from_agent(request("3", "ping"));
  bench.from_agent(read_call("4"));
  CHECK(bench.server.lines.size() == 2);
  REQUIRE(bench.agent.lines.size() == 2);
  CHECK(error_code(bench.agent.answers("3").at(0)) == -32600);
  CHECK(error_code(bench.agent.answers("4").at(0)) == -32600);
  bench.from_server(request("1", "ping"));
  CHECK(bench.agent.lines.back() == request("1", "ping"));
  bench.from_server(answer("1"));
  bench.from_agent(request("3", "ping"));
  CHECK(bench.server.lines.back() == request("3", "ping"));
  CHECK(bench.ends());
}

TEST_CASE("a malformed answer is told to whoever waits for it, once, and not passed on") {
  const std::vector<std::string> malformed{
      R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}})",
      R"({"jsonrpc":"1.0","id":1,"result":{}})",
      R"({"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}})",
      R"({"jsonrpc":"2.0","id":1,"error":"x"})",
      R"({"jsonrpc":"2.0","id":1,"result":{})",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\"}",
  };
  for (const std::string& line : malformed) {
    INFO(line);
    Bench bench(OnLedger::no);
    bench.from_agent(request("1", "tools/list"));
    bench.from_server(line);
    REQUIRE(bench.agent.answers("1").size() == 1);
    CHECK(error_code(bench.agent.answers("1")[0]) == -31003);
    bench.from_server(answer("1"));
    CHECK(bench.agent.lines.size() == 1);
    CHECK(bench.server.lines.size() == 1);

    bench.from_server(request("1", "roots/list"));
    bench.from_agent(line);
    REQUIRE(bench.server.answers("1").size() == 1);
    CHECK(error_code(bench.server.answers("1")[0]) == -31003);
  }
}

TEST_CASE("a malformed request ends no request of the other side under its id") {
  const std::vector<std::string> malformed{
      R"({"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":1}})",
      R"({"jsonrpc":"2.0","id":0,"method":"ping","params":{"a":1,"a":2}})",
      R"({"jsonrpc":"2.0","id":0,"method":"ping")",
  };
  for (const std::string& line : malformed) {
    INFO(line);
    Bench bench(OnLedger::no);
    bench.from_server(request("0", "roots/list"));
    bench.from_agent(line);
    CHECK(bench.agent.answers("0").size() == 1);
    CHECK(bench.server.lines == nothing);
    bench.from_agent(answer("0"));
    CHECK(bench.server.lines == std::vector{answer("0")});
  }
  Bench bench(OnLedger::no);
  bench.from_server(request("0", "roots/list"));
  bench.from_agent(request("0", "ping"));
  bench.from_agent(request("0", "ping"));  // its id is in use
  CHECK(bench.agent.answers("0").size() == 1);
  bench.from_agent(answer("0"));
  CHECK(bench.server.lines.back() == answer("0"));
}

TEST_CASE("what has no id passes to the server only as a notification") {
  Bench bench(OnLedger::no);
  const std::string known = R"({"jsonrpc":"2.0","method":"notifications/vendor/x","params":{"a":1}})";
  bench.from_agent(R"({"jsonrpc":"2.0","method":"vendor/run","params":{"a":1}})");
  bench.from_agent(known);
  CHECK(bench.server.lines == std::vector{known});
  const std::string unlike = R"({"jsonrpc":"2.0","method":"$/progress"})";
  bench.from_server(unlike);
  CHECK(bench.agent.lines == std::vector{unlike});
}

TEST_CASE("a malformed answer that nobody waits for is told to nobody") {
  Bench bench(OnLedger::no);
  bench.from_server(R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})");
  bench.from_server(R"({"jsonrpc":"2.0","id":null,"result":{}})");
  bench.from_server(R"({"jsonrpc":"2.0","id":1.0,"result":{}})");
  bench.from_server(R"({"jsonrpc":"2.0","result":{}})");
  CHECK(bench.agent.lines == nothing);
  CHECK(bench.server.lines == nothing);
}

TEST_CASE("garbage is answered to the agent, and to the server only with an id") {
  Bench bench(OnLedger::no);
  for (const char* line : {"", "[]", "hello", "{}"}) bench.from_server(line);
  CHECK(bench.server.lines == nothing);
  bench.from_server(R"({"jsonrpc":"2.0","id":5,"method":3})");
  CHECK(bench.server.answers("5").size() == 1);
  bench.from_agent("hello");
  bench.from_agent("[]");
  CHECK(bench.agent.answers("null").size() == 2);
}

TEST_CASE("a line that was too long is refused by what could be read of it") {
  Bench bench(OnLedger::no);
  bench.from_agent(request("1", "ping"));
  bench.router->take(Direction::to_agent,
                     {"", transports::Refusal{"1", false, false, -32600, {base::Code::limit, "too long"}}});
  REQUIRE(bench.agent.answers("1").size() == 1);
  bench.router->take(Direction::to_server,
                     {"", transports::Refusal{"2", true, false, -32600, {base::Code::limit, "too long"}}});
  REQUIRE(bench.agent.answers("2").size() == 1);
  CHECK(bench.server.lines.size() == 1);
}

TEST_CASE("a request to a side that is closed is answered at once and frees its id") {
  Bench bench(OnLedger::no);
  bench.server.open = false;
  for (int i = 1; i <= 2; ++i) bench.from_agent(request("1", "ping"));
  REQUIRE(bench.agent.answers("1").size() == 2);
  for (const auto& told : bench.agent.answers("1")) CHECK(error_code(told) == -31004);
}

TEST_CASE("when a side ends, each free request that waits for it is answered, and no other") {
  Bench bench(OnLedger::no);
  bench.from_agent(request("1", "ping"));
  bench.from_agent(request("\"\\u0031\"", "tools/list"));
  bench.from_server(request("9", "roots/list"));
  bench.agent.lines.clear();
  bench.router->peer_gone(Direction::to_server);
  CHECK(bench.agent.lines.size() == 2);
  CHECK(error_code(bench.agent.answers("1").at(0)) == -31004);
  CHECK(error_code(bench.agent.answers("\"1\"").at(0)) == -31004);
  CHECK(bench.server.answers("9").empty());
  bench.router->peer_gone(Direction::to_agent);
  CHECK(error_code(bench.server.answers("9").at(0)) == -31004);
  bench.part();
  CHECK(bench.agent.lines.size() == 2);
  CHECK(bench.ends());
}

TEST_CASE("a call that is cancelled before it is judged is neither forwarded nor answered") {
  Bench bench(OnLedger::no);
  bench.from_agent(read_call("1"));
  bench.from_agent(cancellation("1"));
  bench.from_agent(cancellation("1"));
  CHECK(bench.ends());
  CHECK(bench.server.lines == nothing);
  CHECK(bench.agent.lines == nothing);
  bench.from_agent(read_call("1"));
  CHECK(bench.ends());
  CHECK(bench.agent.answers("1").size() == 1);
}

TEST_CASE("a request on which callgate fails is answered, its id is free again, and the session lives on") {
  Bench bench(OnLedger::no);
  const auto outlet = bench.router->to_server;
  bench.router->to_server = [](const std::string&) -> bool { throw std::runtime_error("no memory"); };
  bench.from_agent(request("1", "tools/list", "{}"));
  REQUIRE(bench.agent.answers("1").size() == 1);
  CHECK(error_code(bench.agent.answers("1").front()) == -31003);

  bench.router->to_server = outlet;
  bench.from_agent(request("1", "tools/list", "{}"));
  CHECK(bench.server.lines.size() == 1);
  bench.from_server(answer("1", "{}"));
  CHECK(bench.agent.answers("1").size() == 2);
}
