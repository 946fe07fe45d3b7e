#include "policy/describe/declared_request.hpp"

#include "tests/policy/verdicts.hpp"

using namespace policy;
using policy_tests::judged;
using policy_tests::tier;

namespace {

using Texts = std::vector<std::string>;

network::Request request(const std::string& arguments) {
  ToolDeclaration tool;
  tool.method = {"/method"};
  tool.headers = {"/headers"};
  return declared_request(base::json::Value::parse(arguments), tool);
}

Texts headers(const std::string& value) { return request("{\"headers\":" + value + "}").headers; }

const std::string tool =
    "[tools.\"x/get\"]\nconnect = \"/url\"\n"
    "[tools.\"x/http\"]\nconnect = \"/url\"\nmethod = \"/method\"\nheaders = \"/headers\"\n";

std::string rule(const std::string& tier, const std::string& connect) {
  return "[[" + tier + "]]\nid = \"" + tier + "\"\nconnect = [\"" + connect + "\"]\n";
}

Call http(const std::string& arguments, const std::string& name = "http") {
  return policy_tests::call(name, arguments, "x");
}

}  // namespace

TEST_CASE("a declared method that is left out is GET, and one that is no text is not understood") {
  CHECK(request("{}").methods == Texts{"GET"});
  CHECK(request(R"({"method":null})").methods == Texts{"GET"});
  CHECK(request(R"({"method":"PUT"})").methods == Texts{"PUT"});
  CHECK(request(R"({"method":""})").methods == Texts{""});
  CHECK(request(R"({"method":5})").methods.empty());
  CHECK_FALSE(request(R"({"method":5})").doubt.empty());
  CHECK(declared_request(base::json::Value::parse("{}"), {}).methods.empty());
}

TEST_CASE("headers are read in every usual shape") {
  const Texts host{"Host: b.example"};
  for (const char* text :
       {R"({"Host":"b.example"})", R"({"Accept":"x","Host":["b.example"]})", R"([["Host","b.example"]])",
        R"(["Accept: x","Host: b.example"])", R"([{"name":"Host","value":"b.example"}])",
        R"([{"key":"Host","value":"b.example"}])", R"(["Host","b.example"])", R"("Host: b.example")",
        R"("Accept: x\r\nHost: b.example\r\n")", R"("{\"Host\":\"b.example\"}")",
        R"([{"Host":"b.example"}])"}) {
    INFO(text);
    const Texts found = headers(text);
    REQUIRE(found.size() == 1);
    CHECK(found.front().substr(0, 5) == "Host:");
    CHECK(found.front().find("b.example") != std::string::npos);
    CHECK(request("{\"headers\":" + std::string(text) + "}").doubt.empty());
  }
  for (const char* text : {"null", "{}", "[]", R"("")", R"({"Accept":"x","Content-Length":5,"X":null})"}) {
    CHECK(headers(text).empty());
    CHECK(request("{\"headers\":" + std::string(text) + "}").doubt.empty());
  }
  for (const char* text : {"5", "true", R"("Host")", R"({"Host":{"a":1}})", R"("{")"}) {
    INFO(text);
    CHECK_FALSE(request("{\"headers\":" + std::string(text) + "}").doubt.empty());
  }
}

TEST_CASE("a line break in a method or header is refused whatever the rules say") {
  const std::string policy = rule("allow", "@any") + tool;
  CHECK(tier(policy, http(R"({"url":"https://a.example/"})")) == Tier::allow);
  CHECK(tier(policy, http(R"({"url":"https://a.example/","method":"GET\r\nX: y"})")) == Tier::deny);
  CHECK(tier(policy, http(R"({"url":"https://a.example/","headers":{"A":"x\nHost: b"}})")) == Tier::deny);
}

TEST_CASE("a tool that declares no method may use any") {
  const std::string policy = "default = \"ask\"\n" + rule("allow", "GET https://a.example") +
                             rule("deny", "DELETE https://a.example/x") + tool;
  CHECK(tier(policy, http(R"({"url":"https://a.example/"})")) == Tier::allow);
  CHECK(tier(policy, http(R"({"url":"https://a.example/"})", "get")) == Tier::ask);
  CHECK(tier(policy, http(R"({"url":"https://a.example/x"})", "get")) == Tier::deny);
  CHECK(tier(policy, http(R"({"url":"https://a.example/x"})")) == Tier::allow);
}

TEST_CASE("an address without one reading is opaque and names why") {
  const Decision decision =
      judged("default = \"ask\"\n" + rule("allow", "@any") + tool, http(R"({"url":"https://u@a.example/"})"));
  CHECK(decision.tier == Tier::ask);
  CHECK(decision.effects.back().opaque);
  CHECK(decision.effects.back().note == "an address with credentials");
}

TEST_CASE("an ask for all that an address may mean asks, and for a part of it leaves the default") {
  const std::string whole = rule("ask", "https://a.example") + tool;
  CHECK(tier(whole, http(R"({"url":"https://u@a.example/"})")) == Tier::ask);
  CHECK(tier(whole, http(R"({"url":"https://b.example#@a.example/"})")) == Tier::deny);
  CHECK(tier(rule("ask", "@any") + tool, http(R"({"url":"https://b.example#@a.example/"})")) == Tier::ask);
}

TEST_CASE("the method stands in what people and records read") {
  const Decision decision =
      judged(rule("allow", "@any") + tool, http(R"({"url":"https://a.example/x","method":"PUT"})"));
  CHECK(summary(decision.effects.back()) == "connect PUT https://a.example/x");
}
