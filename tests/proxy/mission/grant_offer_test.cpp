#include "proxy/mission/grant_offer.hpp"

#include "tests/policy/verdicts.hpp"

using namespace policy_tests;
using policy::EachTime;
using proxy::GrantOffer;

namespace {

const std::string asks = "default = \"ask\"\n";

GrantOffer offer(const policy::Call& call, const std::string& policy_text = asks,
                 std::map<std::string, std::string> links = {}) {
  const policy::DescribedFiles files(std::move(links));
  const policy::Policy policy = load(policy_text);
  const policy::Decision asked = policy.judge(call, scene(files));
  REQUIRE(asked.tier == policy::Tier::ask);
  return proxy::grant_offer(policy, call, scene(files), {}, asked, base::sha256("same"));
}

std::string rule(const std::string& keys, const std::string& server = "workshop") {
  return proxy::rule_head(server) + keys + "\n";
}

}  // namespace

TEST_CASE("what is asked is offered as the exact rule") {
  CHECK(offer(read("/w/a")).rule == rule("read = [\"a\"]", "files"));
  CHECK(offer(read("/etc/hosts")).rule == rule("read = [\"/etc/hosts\"]", "files"));
  CHECK(offer(run("git push origin")).rule == rule("run = [\"git push origin $\"]"));
  CHECK(offer(run("git commit -m 'a b'")).rule.find("run = [\"git commit -m 'a b' $\"]") !=
        std::string::npos);
  const std::string connects = offer(run("curl https://api.example.com:8443/v1/x")).rule;
  CHECK(connects.find("connect = [\"https://api.example.com:8443\"]") != std::string::npos);
  CHECK(offer(run("cp a b")).rule.find("write = [\"b\"]") != std::string::npos);
  CHECK(offer(read("/w/a")).same == base::sha256("same"));
}

TEST_CASE("what one rule cannot say exactly is not offered as one") {
  CHECK(offer(read("/w/a*b")).rule.empty());
  CHECK(offer(read("/w/a")).each_time == EachTime::no);
  const GrantOffer linked = offer(read("/w/a"), asks, {{"/w/a", "/w/b"}});
  CHECK(linked.rule.empty());
}

TEST_CASE("what is asked each time is not offered at all") {
  CHECK(offer(run("eval $X")).each_time == EachTime::opaque);
  CHECK(offer(run("eval $X")).rule.empty());
  CHECK(offer(call("write_file", R"({"path":"a"})", "a*b")).each_time == EachTime::uncovered);
}

TEST_CASE("the rule for a tool names server, method and tool, or there is none") {
  CHECK(proxy::rule_for_tool("files", "tools/call", "write_file") ==
        rule("method = \"tools/call\"\ntool = \"write_file\"", "files"));
  CHECK(proxy::rule_for_tool("files", "resources/read", "") == rule("method = \"resources/read\"", "files"));
  CHECK(proxy::rule_for_tool("files", "tools/call", "t*").empty());
  CHECK(proxy::rule_for_tool("f*", "tools/call", "t").empty());
}
