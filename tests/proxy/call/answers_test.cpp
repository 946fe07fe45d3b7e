#include "proxy/call/answers.hpp"

#include "proxy/base/json.hpp"
#include "tests/catch.hpp"
#include "tests/proxy/messages.hpp"

using proxy::AnswerCode;
using proxy_tests::message;

TEST_CASE("an answer to a tool call is a result that the model can read, with the id as spelled") {
  const auto request = message(R"({"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"x"}})");
  const auto answer = base::json::parse(proxy::call_answer(request, AnswerCode::denied, "no \"way\"\n"));
  REQUIRE(answer.has_value());
  CHECK((*answer)["id"] == "1");
  CHECK((*answer)["result"]["isError"] == true);
  CHECK((*answer)["result"]["content"][0]["text"] == "no \"way\"\n");
  CHECK_FALSE((*answer)["result"].contains("resultType"));
}

TEST_CASE("an answer to any other request is an error outside the reserved codes") {
  const auto request =
      message(R"({"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"x:y"}})");
  for (const AnswerCode code : {AnswerCode::denied, AnswerCode::pending, AnswerCode::failed,
                                AnswerCode::peer_gone, AnswerCode::timed_out}) {
    const auto answer = base::json::parse(proxy::call_answer(request, code, "no"));
    REQUIRE(answer.has_value());
    CHECK((*answer)["id"] == 7);
    const int value = (*answer)["error"]["code"];
    CHECK((value > -32000 || value < -32768));
  }
}

TEST_CASE("a modern request's answer says that it is complete") {
  const auto request =
      message(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{)"
              R"("io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
  const auto answer = base::json::parse(proxy::call_answer(request, AnswerCode::denied, "no"));
  REQUIRE(answer.has_value());
  CHECK((*answer)["result"]["resultType"] == "complete");
}

TEST_CASE("a refusal without a readable id is answered with id null") {
  const auto answer = base::json::parse(proxy::refusal_answer(
      {"", true, false, -32700, base::Error(base::Code::invalid, "not JSON at byte 3")}));
  REQUIRE(answer.has_value());
  CHECK((*answer)["id"].is_null());
  CHECK((*answer)["error"]["code"] == -32700);
}

TEST_CASE("text of any bytes becomes one valid JSON string") {
  for (const std::string& text :
       {std::string("\x01\x1f\x7f", 3), std::string("\xff\xfe"), std::string("a\0b", 3)}) {
    INFO(text);
    CHECK(base::json::check(proxy::json_string(text)).has_value());
  }
}
