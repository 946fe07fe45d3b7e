#include "proxy/call/held_answer.hpp"

#include "proxy/base/json.hpp"
#include "tests/proxy/messages.hpp"

using namespace proxy;
using proxy_tests::message;

namespace {

transports::Message request() {
  return message(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"path":"a"}}})");
}

ResultFinding found(policy::Tier tier, const std::string& rule, std::vector<std::string> detectors = {}) {
  ResultFinding finding;
  finding.tier = tier;
  finding.rule = rule;
  finding.layer = policy::Layer::user;
  finding.why = "why of " + rule;
  finding.detectors = std::move(detectors);
  return finding;
}

CheckedAnswer checked() {
  CheckedAnswer answer;
  answer.result = R"({"content":[]})";
  answer.line = R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})";
  return answer;
}

}  // namespace

TEST_CASE("an answer is judged by what was found in it") {
  CheckedAnswer answer = checked();
  answer.findings = {found(policy::Tier::ask, "look", {"expression"}), found(policy::Tier::deny, "cut"),
                     found(policy::Tier::ask, "look-too")};
  CHECK(answer_decision(request(), answer).tier == policy::Tier::allow);
  answer.asks = true;
  const policy::Decision asked = answer_decision(request(), answer);
  CHECK(asked.tier == policy::Tier::ask);
  REQUIRE(asked.reasons.size() == 2);
  REQUIRE(asked.effects.size() == 2);
  CHECK(asked.effects[1].name == "answer of read");
  CHECK(asked.reasons[0].rule == "look");
  CHECK(asked.reasons[0].why == "why of look; found: expression");
  CHECK(asked.reasons[0].beyond);
  CHECK(asked.reasons[1].effect == 1);
  answer.withheld = true;
  answer.findings[1].withholds = true;
  const policy::Decision denied = answer_decision(request(), answer);
  CHECK(denied.tier == policy::Tier::deny);
  REQUIRE(denied.reasons.size() == 1);
  CHECK(denied.reasons[0].rule == "cut");
}

TEST_CASE("what is judged, bound and recorded of an answer is its value") {
  const CheckedAnswer answer = checked();
  const transports::Message shaped = answer_message(request(), answer);
  CHECK(shaped.at(shaped.params) == answer.result);
  CHECK(shaped.method == "result");
  CHECK(shaped.progress_token.empty());
  const policy::Call call = answer_call({.server = "s"}, request(), answer);
  CHECK(call.server == "s");
  CHECK(call.tool == "read");
  CHECK(call.arguments == base::json::Value::parse(answer.result));
  CheckedAnswer withheld;
  withheld.withheld = true;
  CHECK(answer_call({}, request(), withheld).arguments.empty());
}
