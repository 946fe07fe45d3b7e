#include "policy/grant.hpp"

#include <algorithm>
#include <random>

#include "tests/policy/verdicts.hpp"

using namespace policy;
using namespace policy_tests;

namespace {

const Anchors anchors{"/w", "/home/dev"};

base::Result<Rule> loaded(const std::string& keys, const std::string& server = "files") {
  return load_grant("g", "[[allow]]\nid = \"grant\"\nserver = \"" + server + "\"\n" + keys + "\n", anchors);
}

Grant grant(std::uint64_t id, const std::string& keys, const std::string& server = "files") {
  auto rule = loaded(keys, server);
  INFO((rule ? std::string() : rule.error().text()));
  REQUIRE(rule.has_value());
  return {id, std::make_shared<const Rule>(std::move(*rule))};
}

std::optional<Decision> granted(const std::string& policy_text, const Call& call, std::vector<Grant> grants,
                                std::map<std::string, std::string> links = {}) {
  const DescribedFiles files(std::move(links));
  return load(policy_text).judge_granted(call, scene(files), {}, grants);
}

Call write(const std::string& path) {
  return call("write_file", base::json::Value{{"path", path}, {"content", "x"}}.dump());
}

const std::string ask_writes = "[[ask]]\nid=\"asks\"\nwrite=[\"**\"]\nwhy=\"changes files\"\n";

}  // namespace

TEST_CASE("a grant answers what the default or a rule asks, and says whose ask it was") {
  const auto by_default = granted(ask, write("/w/a"), {grant(7, "write = [\"a\"]")});
  REQUIRE(by_default);
  CHECK(by_default->tier == Tier::allow);
  const auto by_rule = granted(ask_writes, write("/w/a"), {grant(7, "write = [\"a\"]")});
  REQUIRE(by_rule);
  const auto answered = std::find_if(by_rule->reasons.begin(), by_rule->reasons.end(),
                                     [](const Reason& reason) { return reason.grant != 0; });
  REQUIRE(answered != by_rule->reasons.end());
  CHECK(answered->grant == 7);
  CHECK(answered->rule == "asks");
  CHECK(answered->tier == Tier::allow);
  CHECK(answered->remedy.empty());
}

TEST_CASE("a grant covers no more than its rule says: not another path, server or tool") {
  CHECK_FALSE(granted(ask, write("/w/b"), {grant(1, "write = [\"a\"]")}));
  CHECK_FALSE(granted(ask, write("/w/a"), {grant(1, "read = [\"a\"]")}));
  CHECK_FALSE(granted(ask, write("/w/a"), {grant(1, "write = [\"a\"]", "other")}));
  CHECK_FALSE(granted(ask, write("/w/a"), {grant(1, "tool = \"read_file\"")}));
  CHECK(granted(ask, write("/w/a"), {grant(1, "tool = \"write_file\"")}));
}

TEST_CASE("a grant needs both results of a path, like an allow") {
  CHECK_FALSE(granted(ask, write("/w/a"), {grant(1, "write = [\"a\"]")}, {{"/w/a", "/etc/passwd"}}));
}

TEST_CASE("each asked effect must be covered, else all of it is asked") {
  const Call both = run("touch a && rm b");
  const std::string asks =
      ask_writes + "[[ask]]\nid=\"d\"\ndelete=[\"**\"]\n[[allow]]\nid=\"r\"\nrun=[\"touch\",\"rm\"]\n";
  REQUIRE(tier(asks, both) == Tier::ask);
  CHECK_FALSE(granted(asks, both, {grant(1, "write = [\"a\"]", "workshop")}));
  CHECK(granted(asks, both,
                {grant(1, "write = [\"a\"]", "workshop"), grant(2, "delete = [\"b\"]", "workshop")}));
}

TEST_CASE("what is not understood is asked each time, whatever was granted") {
  const std::string asks = ask + "[[ask]]\nid=\"r\"\nrun=[\"**\"]\n";
  const Call opaque = run("eval $X");
  REQUIRE(tier(asks, opaque) == Tier::ask);
  CHECK_FALSE(granted(asks, opaque, {grant(1, "tool = \"run_command\"", "workshop")}));
  CHECK(asked_each_time(judged(asks, opaque)) == EachTime::opaque);
  CHECK(asked_each_time(judged(asks, run("ls"))) == EachTime::no);
}

TEST_CASE("what a deny may match in part is asked each time, and malicious most of all") {
  const std::string rest = "[[allow]]\nid=\"w\"\nread=[\"/w/**\"]\nrun=[\"grep\"]\n";
  const Call tree = run("grep -r x .");
  const std::string deny = deny_env + rest;
  REQUIRE(tier(deny, tree, {{"/w/sub/.env", "x"}}) == Tier::ask);
  CHECK_FALSE(granted(deny, tree, {grant(1, "tool = \"run_command\"", "workshop")}, {{"/w/sub/.env", "x"}}));
  CHECK(asked_each_time(judged(deny, tree, {{"/w/sub/.env", "x"}})) == EachTime::may_deny);
  // Also where an ask is told, since it matches all of it.
  const std::string both = deny + "[[ask]]\nid=\"asks\"\nread=[\"**\"]\n";
  CHECK(asked_each_time(judged(both, tree, {{"/w/sub/.env", "x"}})) == EachTime::may_deny);
  CHECK_FALSE(granted(both, tree, {grant(1, "tool = \"run_command\"", "workshop")}, {{"/w/sub/.env", "x"}}));
  const std::string malicious = "[[deny]]\nid=\"m\"\npath=[\"**/.env\"]\nclass=\"malicious\"\n" + rest;
  CHECK(asked_each_time(judged(malicious, tree, {{"/w/sub/.env", "x"}})) == EachTime::malicious);
  CHECK_FALSE(
      granted(malicious, tree, {grant(1, "tool = \"run_command\"", "workshop")}, {{"/w/sub/.env", "x"}}));
}

TEST_CASE("what an untrusted repository asks for is asked beside a grant, and may be granted") {
  const DescribedFiles files;
  const auto by = [&](const std::string& keys, std::vector<Grant> grants) {
    const std::string mine = "version = 1\n[[ask]]\nid=\"mine\"\nwrite=[\"**\"]\n" + keys;
    return Policy::load({{Layer::user, "u.toml", "version = 1\n" + ask, true},
                         {Layer::repository, "r.toml", mine, false}},
                        "/w", "/home/dev")
        .value()
        .judge_granted(write("/w/a"), scene(files), {}, grants);
  };
  CHECK(by("", {grant(1, "write = [\"a\"]")}));
  CHECK_FALSE(by("", {grant(1, "write = [\"b\"]")}));
  CHECK_FALSE(by("content = [\"x\"]\n", {grant(1, "write = [\"a\"]")}));
}

TEST_CASE("what is asked for its content, or for what came before, is asked each time") {
  const std::string plain = "default = \"deny\"\n[[ask]]\nid = \"w\"\nwrite = [\"/w/**\"]\n";
  CHECK(granted(plain, write("/w/a"), {grant(1, "write = [\"a\"]")}));
  const std::string keys = GENERATE(std::string("content = [\"@secrets\", \"x\"]"),
                                    std::string("after = { write = [\"/w/**\"] }"));
  CAPTURE(keys);
  // Of two asks the other may be the one that is told.
  CHECK_FALSE(granted(plain + "[[ask]]\nid = \"b\"\nwrite = [\"/w/a\"]\n" + keys + "\n", write("/w/a"),
                      {grant(1, "write = [\"a\"]")}));
}

TEST_CASE("a grant is one allow rule of one server, and nothing that lets it do more") {
  CHECK(loaded("write = [\"a\"]").has_value());
  CHECK_FALSE(loaded("opaque = true\ntool = \"t\"").has_value());
  CHECK_FALSE(loaded("write = [\"a\"]\nrate = \"1/min\"").has_value());
  CHECK_FALSE(loaded("write = [\"a\"]\nafter = { read = [\"b\"] }").has_value());
  CHECK_FALSE(loaded("write = [\"a\"]\nredirect = { write = { from = \"a\", to = \"b\" } }").has_value());
  CHECK_FALSE(loaded("write = [\"a\"]\n[[allow]]\nid = \"two\"\nserver = \"files\"").has_value());
  CHECK_FALSE(loaded("write = [\"a\"]\n[[deny]]\nid = \"two\"\nserver = \"files\"").has_value());
  CHECK_FALSE(loaded("write = [\"a\"]", "*").has_value());
  CHECK_FALSE(loaded("server = \"other\"").has_value());
  CHECK_FALSE(load_grant("g", "[[allow]]\nid = \"grant\"\nwrite = [\"a\"]\n", anchors).has_value());
  CHECK_FALSE(load_grant("g", std::string(grant_bytes_max + 1, '#'), anchors).has_value());
}

TEST_CASE("grants by chance never turn a denial, never cover what is not understood, never tighten") {
  std::mt19937 generator(20261130);
  const auto pick = [&](const std::vector<std::string>& list) {
    return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(generator)];
  };
  const std::vector<std::string> rules{
      "[[deny]]\nid=\"ID\"\npath=[\"**/.env\"]\n", "[[deny]]\nid=\"ID\"\nrun=[\"rm\"]\n",
      "[[ask]]\nid=\"ID\"\nwrite=[\"src/**\"]\n",  "[[ask]]\nid=\"ID\"\nrun=[\"git push\"]\n",
      "[[allow]]\nid=\"ID\"\nread=[\"**\"]\n",     "[[allow]]\nid=\"ID\"\nrun=[\"cat\",\"git\"]\n",
      "[[ask]]\nid=\"ID\"\nserver=\"workshop\"\n", "[[allow]]\nid=\"ID\"\nwrite=[\"out/**\"]\n"};
  const std::vector<std::string> keys{
      "tool = \"run_command\"", "read = [\"**\"]",         "write = [\"src/**\"]",   "run = [\"git\"]",
      "delete = [\"**\"]",      "method = \"tools/call\"", "run = [\"cat\", \"rm\"]"};
  const std::vector<std::string> lines{
      "cat src/a",      "cat .env", "rm out/a",    "git push",           "eval $X",
      "echo x > src/a", "cat $X",   "grep -r x .", "git status && rm a", "bash -c 'git push'"};
  int answered = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = pick({"default = \"ask\"\n", "default = \"deny\"\n"});
    for (int i = 0; i < 4; ++i) {
      std::string rule = pick(rules);
      text += rule.replace(rule.find("ID"), 2, "r" + std::to_string(i));
    }
    const Call call = run(pick(lines));
    std::vector<Grant> grants{grant(1, pick(keys), "workshop")};
    const Decision plain = judged(text, call);
    const auto with = granted(text, call, grants);
    INFO(text + call.arguments.dump() + name(plain.tier));
    if (plain.tier == Tier::deny) CHECK_FALSE(with.has_value());
    if (plain.tier == Tier::allow) CHECK(with.has_value());
    grants.push_back(grant(2, pick(keys), "workshop"));
    if (!with) continue;
    CHECK(granted(text, call, grants).has_value());
    for (const Reason& reason : with->reasons) {
      if (reason.grant == 0) continue;
      ++answered;
      CHECK_FALSE(with->effects[reason.effect].opaque);
    }
  }
  CHECK(answered > 50);
}
