#include "proxy/call/answer_check.hpp"

#include "policy/load/load.hpp"
#include "policy/rule/rule.hpp"
#include "proxy/base/json.hpp"
#include "tests/proxy/messages.hpp"

using namespace proxy;
using base::json::Value;
using proxy_tests::message;

namespace {

const std::string call =
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{}}})";
const std::string read_resource =
    R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"u:a"}})";

std::string result(const std::string& value) { return R"({"jsonrpc":"2.0","id":1,"result":)" + value + "}"; }

CheckedAnswer checked(const std::string& keys, const std::string& answer, const std::string& request = call,
                      const std::string& note = {}) {
  const auto rules =
      policy::compile_sources(
          {{policy::Layer::user, "p.toml",
            keys.empty() ? "version = 1\n" : "version = 1\n[[deny]]\nid = \"x\"\n" + keys, true}},
          {"/w", "/h"})
          .value();
  return check_answer(message(request), message(answer), rules.result_rules, note);
}

const std::string redacts = "result = \"TOK_[A-Z]+\"\nredact = true\n";
const std::string withholds = "result = \"TOK_[A-Z]+\"\nwhy = \"keys stay\"\nseverity = \"high\"\n";

}  // namespace

TEST_CASE("an answer in which nothing is found keeps its bytes") {
  const std::string answer = result(R"({ "content" : [{"type":"text","text":"\u0061 tok"}] , "n":1.0})");
  CHECK(checked(redacts, answer).line == answer);
  CHECK(checked(withholds, answer).line == answer);
  CHECK(checked(withholds, answer).findings.empty());
}

TEST_CASE("where rules look, nothing passes beside what they look at") {
  const std::string more = R"({"x":"TOK_AB","jsonrpc":"2.0","id":1,"result":{ "a" : 1 },"TOK_AB":[]})";
  CHECK(checked(redacts, more).line == R"({"jsonrpc":"2.0","id":1,"result":{ "a" : 1 }})");
  CHECK(checked(withholds, more).line == R"({"jsonrpc":"2.0","id":1,"result":{ "a" : 1 }})");
  CHECK(checked(redacts, R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"TOK_AB"},"x":0})").line ==
        R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"[redacted: x]"}})");
  CHECK(checked("", more).line == more);
}

TEST_CASE("what is found is cut out of whatever string it stands in") {
  const auto cut = checked(redacts, result(R"({"content":[{"type":"text","text":"a \u0054OK_AB\n"}],)"
                                           R"("structuredContent":{"k":["TOK_C",1.0]}})"));
  CHECK(cut.line == result(R"({"content":[{"type":"text","text":"a [redacted: x]\n"}],)"
                           R"("structuredContent":{"k":["[redacted: x]",1.0]}})"));
  CHECK(cut.result == cut.line.substr(result("").size() - 1, cut.result.size()));
  CHECK_FALSE(cut.withheld);
  CHECK(findings_text(cut.findings) == "x expression");
  const auto resource =
      checked(redacts, result(R"({"contents":[{"uri":"u:a","text":"TOK_A"}]})"), read_resource);
  CHECK(resource.line == result(R"({"contents":[{"uri":"u:a","text":"[redacted: x]"}]})"));
}

TEST_CASE(
    "an answer that is withheld says that the call was executed, by which rule, and not what was found") {
  const auto tool = checked(withholds, result(R"({"content":[{"type":"text","text":"TOK_AB"}]})"));
  CHECK(tool.withheld);
  CHECK(tool.result.empty());
  const Value said = Value::parse(tool.line)["result"];
  CHECK(said["isError"] == true);
  CHECK(said["content"][0]["text"] ==
        "this call was executed, and its result is withheld by rule `x` (user): keys stay");
  REQUIRE(tool.findings.size() == 1);
  CHECK(tool.findings[0].severity == policy::Severity::high);
  const auto resource =
      checked(withholds, result(R"({"contents":[{"uri":"u:a","text":"TOK_A"}]})"), read_resource);
  CHECK(Value::parse(resource.line)["error"]["code"] == -31001);
  const auto error =
      checked(withholds, R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no TOK_A"}})");
  CHECK(error.withheld);
  CHECK(checked(redacts, result(R"({"structuredContent":{"TOK_A":1}})")).withheld);
}

TEST_CASE("the agent is told of a redirect beside the answer") {
  const auto note = [](const std::string& answer) { return checked("", answer, call, "said \"so\"").line; };
  CHECK(note(result(R"({"content":[{"type":"text","text":"a"}]})")) ==
        result(R"({"content":[{"type":"text","text":"said \"so\""},{"type":"text","text":"a"}]})"));
  CHECK(note(result(R"({"content":[]})")) == result(R"({"content":[{"type":"text","text":"said \"so\""}]})"));
  CHECK(note(result(R"({"task":{}})")) ==
        result(R"({"task":{},"_meta":{"callgate/redirected":"said \"so\""}})"));
  CHECK(note(result(R"({"_meta":{"a":1}})")) ==
        result(R"({"_meta":{"a":1,"callgate/redirected":"said \"so\""}})"));
  CHECK(note(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}})") ==
        R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"said \"so\"; no"}})");
}
