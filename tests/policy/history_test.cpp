// Rules with `after`, `rate` and `host_user`, and the history that they are judged with.

#include "policy/history.hpp"

#include <algorithm>
#include <random>

#include "policy/review/explain.hpp"
#include "tests/policy/verdicts.hpp"

using namespace policy;
using namespace std::chrono_literals;
using policy_tests::ask;
using policy_tests::call;
using policy_tests::load;
using policy_tests::read;
using policy_tests::run;

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t start = 1'000'000 * second;

// A mission: what passes is counted as the gate does it.
class Mission {
 public:
  explicit Mission(const std::string& text) : policy_(load(text)) {}

  Decision judge(const Call& described) {
    history.set_now(now);
    return policy_.judge(described, policy_tests::scene(files_), history);
  }
  Tier tier(const Call& described) { return judge(described).tier; }
  // The call passes, whatever is said of it.
  void pass(const Call& described, bool certain = true) {
    const Decision decision = judge(described);
    ++number_;
    for (const Tally& tally : policy_.tallies())
      if (std::count(decision.tallies.begin(), decision.tallies.end(), tally.id) > 0)
        history.add(tally, {number_, now, certain});
  }
  const Policy& policy() const { return policy_; }

  std::int64_t now = start;
  History history = History::empty();

 private:
  DescribedFiles files_;
  Policy policy_;
  std::uint64_t number_ = 0;
};

const std::string any_read = "[[allow]]\nid=\"reads\"\nread=[\"/w/**\"]\n";
const std::string pushes = "[[allow]]\nid=\"push\"\nrun=[\"git push\"]\n";
const std::string deny_push = any_read + pushes +
                              "[[deny]]\nid=\"late\"\nrun=[\"git push\"]\nwhy=\"no leak\"\n"
                              "after={ read=[\"**/.env\"] }\n";

}  // namespace

TEST_CASE("a rule with after holds only once such an effect has passed") {
  Mission mission(deny_push);
  CHECK(mission.tier(run("git push")) == Tier::allow);
  mission.pass(read("a"));
  CHECK(mission.tier(run("git push")) == Tier::allow);
  mission.pass(read("x/.env"));
  CHECK(mission.tier(run("git push")) == Tier::deny);
  CHECK(mission.tier(run("git status")) == Tier::deny);  // by the default, as before
}

TEST_CASE("the call that is judged does not come after itself") {
  Mission mission(
      "[[allow]]\nid=\"r\"\nread=[\"/w/**\"]\n[[deny]]\nid=\"twice\"\nread=[\"**/.env\"]\nafter={ "
      "read=[\"**/.env\"] }\n");
  CHECK(mission.tier(read(".env")) == Tier::allow);
  mission.pass(read(".env"));
  CHECK(mission.tier(read(".env")) == Tier::deny);
}

TEST_CASE("the reason names the earlier calls") {
  Mission mission(deny_push);
  mission.pass(read("a"));
  mission.pass(read(".env"));
  const Decision decision = mission.judge(run("git push"));
  const Reason* reason = deciding(decision);
  REQUIRE(reason != nullptr);
  CHECK(reason->rule == "late");
  CHECK(reason->earlier == std::vector<std::uint64_t>{2});
  CHECK(reason->history == "after call 2");
  CHECK(explain_to_agent(decision).find("by rule `late` (mission): no leak (after call 2)") !=
        std::string::npos);
}

TEST_CASE("several kinds of effect in after are any of them") {
  Mission mission(
      any_read + pushes +
      "[[deny]]\nid=\"late\"\nrun=[\"git push\"]\nafter={ read=[\"**/.env\"], run=[\"printenv\"] }\n");
  mission.pass(run("printenv HOME"));
  CHECK(mission.tier(run("git push")) == Tier::deny);
}

TEST_CASE("content in after is what an earlier call wrote") {
  Mission mission(pushes +
                  "[[deny]]\nid=\"late\"\nrun=[\"git push\"]\nafter={ write=[\"**\"], "
                  "content=[\"@secrets\"] }\n");
  mission.pass(call("write_file", R"({"path":"a","content":"plain"})"));
  CHECK(mission.tier(run("git push")) == Tier::allow);
  mission.pass(call("write_file", R"({"path":"a","content":"postgres://app:s8f7Kq2mZp@db/app"})"));
  CHECK(mission.tier(run("git push")) == Tier::deny);
}

TEST_CASE("count is how many calls it takes, within how old they may be") {
  Mission mission(
      any_read + pushes +
      "[[ask]]\nid=\"many\"\nrun=[\"git push\"]\nafter={ read=[\"**\"], count=3, within=\"10m\" }\n");
  mission.pass(read("a"));
  mission.now += 400 * second;
  mission.pass(read("b"));
  mission.pass(call("read_multiple_files", R"({"paths":["a","b","c"]})"));
  CHECK(mission.tier(run("git push")) == Tier::ask);
  mission.now += 200 * second;
  CHECK(mission.tier(run("git push")) == Tier::ask);  // the first is just as old as it may be
  mission.now += 1;
  CHECK(mission.tier(run("git push")) == Tier::allow);
  mission.pass(read("c"));
  CHECK(deciding(mission.judge(run("git push")))->history == "after calls 4, 3, 2");
}

TEST_CASE("an allow comes after what is certain only") {
  const std::string text = "[[allow]]\nid=\"push\"\nrun=[\"git push $\"]\nafter={ run=[\"npm test $\"] }\n";
  Mission mission(text);
  CHECK(mission.tier(run("git push")) == Tier::deny);
  mission.pass(run("npm test -- --help"));
  mission.pass(run("sudo npm test"));
  mission.pass(run("eval \"$X\"; npm test $Y"));
  CHECK(mission.tier(run("git push")) == Tier::deny);
  mission.pass(run("npm test"), false);
  CHECK(mission.tier(run("git push")) == Tier::deny);
  mission.pass(run("npm test"));
  CHECK(mission.tier(run("git push")) == Tier::allow);
  mission.now -= 10 * second;  // the clock was set back
  CHECK(mission.tier(run("git push")) == Tier::deny);
}

TEST_CASE("an allow that does not hold yet lets the shell do nothing, either") {
  Mission mission("[[allow]]\nid=\"run\"\nrun=[\"ls\"]\nafter={ run=[\"npm test $\"] }\n");
  CHECK(mission.tier(run("true")) == Tier::deny);
  mission.pass(run("npm test"));
  CHECK(mission.tier(run("true")) == Tier::allow);
}

TEST_CASE("a deny comes after what may have been, too") {
  Mission mission(deny_push);
  mission.pass(call("do", R"({"path":"/w/.env"})", "unknown"));  // a guess
  CHECK(mission.tier(run("git push")) == Tier::deny);
  Mission other(deny_push);
  other.pass(read(".env"), false);
  CHECK(deciding(other.judge(run("git push")))->history == "after call 1, of which not all is known");
}

TEST_CASE("what is not known of the history counts against the call") {
  const std::string within = any_read + pushes +
                             "[[deny]]\nid=\"late\"\nrun=[\"git push\"]\n"
                             "after={ read=[\"**/.env\"], within=\"10m\" }\n";
  const std::string allowed = "[[allow]]\nid=\"push\"\nrun=[\"git push\"]\nafter={ read=[\"**\"] }\n";
  const std::string rate = "[[allow]]\nid=\"push\"\nrun=[\"git push\"]\nrate=\"2/min\"\n";
  const DescribedFiles files;
  const auto tier_with = [&](const std::string& text, History history) {
    history.set_now(start);
    return load(text).judge(run("git push"), policy_tests::scene(files), history).tier;
  };
  CHECK(tier_with(deny_push, {}) == Tier::deny);
  CHECK(tier_with(within, {}) == Tier::deny);
  CHECK(tier_with(allowed, {}) == Tier::deny);
  CHECK(tier_with(rate, {}) == Tier::ask);
  CHECK(tier_with(deny_push, History::known_from(start - 3600 * second)) == Tier::deny);
  CHECK(tier_with(within, History::known_from(start - 3600 * second)) == Tier::allow);
  CHECK(tier_with(within, History::known_from(start - 300 * second)) == Tier::deny);
  CHECK(tier_with(rate, History::known_from(start - 60 * second)) == Tier::allow);
  CHECK(tier_with(rate, History::known_from(start - 59 * second)) == Tier::ask);
}

TEST_CASE("the reason says when the history is not known") {
  const DescribedFiles files;
  const auto reason = [&](const std::string& text) {
    const Decision decision = load(text).judge(run("git push"), policy_tests::scene(files), {});
    return deciding(decision)->history;
  };
  CHECK(reason(deny_push) == "not all that passed before is known");
  CHECK(reason("[[allow]]\nid=\"push\"\nrun=[\"git push\"]\nrate=\"2/min\"\n") ==
        "its rate of 2/min counts as used up, since not all that passed before is known");
}

TEST_CASE("beyond its rate an allow asks, in any span of that length") {
  Mission mission("[[allow]]\nid=\"push\"\nrun=[\"git push\"]\nrate=\"2/min\"\n");
  mission.pass(run("git push a"));
  CHECK(mission.tier(run("git push")) == Tier::allow);
  mission.now += 30 * second;
  mission.pass(run("git push b"));
  const Decision beyond = mission.judge(run("git push"));
  CHECK(beyond.tier == Tier::ask);
  CHECK(deciding(beyond)->rule == "push");
  CHECK(deciding(beyond)->history == "its rate of 2/min is used up by calls 2, 1");
  CHECK(deciding(beyond)->earlier == std::vector<std::uint64_t>{1, 2});
  CHECK(beyond.tallies.empty());  // a person's approval is not the rule's
  mission.now += 31 * second;
  CHECK(mission.tier(run("git push")) == Tier::allow);
  mission.pass(run("git push c"));
  CHECK(mission.tier(run("git push")) == Tier::ask);
}

TEST_CASE("a rate counts what its own rule covered, and another allow is enough") {
  const std::string rated = "[[allow]]\nid=\"push\"\nrun=[\"git push\"]\nrate=\"1/h\"\n";
  Mission mission(rated + "[[allow]]\nid=\"status\"\nrun=[\"git status\"]\n");
  mission.pass(run("git status"));
  CHECK(mission.tier(run("git push")) == Tier::allow);
  mission.pass(run("git push"));
  CHECK(mission.tier(run("git push")) == Tier::ask);
  CHECK(mission.tier(run("git status")) == Tier::allow);
  CHECK(mission.tier(run("git push; git status")) == Tier::ask);
  Mission both(rated + pushes.substr(0, pushes.find("id=")) + "id=\"free\"\nrun=[\"git push origin\"]\n");
  both.pass(run("git push"));
  CHECK(both.tier(run("git push origin")) == Tier::allow);
}

TEST_CASE("a rate that is used up never loosens what else is denied") {
  Mission mission(
      "[[allow]]\nid=\"push\"\nrun=[\"git push\"]\nrate=\"1/day\"\n[[deny]]\nid=\"d\"\nrun=[\"git push "
      "-f\"]\n");
  mission.pass(run("git push"));
  CHECK(mission.tier(run("git push -f")) == Tier::deny);
}

TEST_CASE("host_user is the user that callgate runs as") {
  Call described = read("a");
  const std::string allow = "[[allow]]\nid=\"x\"\nread=[\"**\"]\nhost_user=[\"alice\", \"ci-*\"]\n";
  const std::string deny = any_read + "[[deny]]\nid=\"x\"\nread=[\"**\"]\nhost_user=\"root\"\n";
  const std::string except = any_read + "[[deny]]\nid=\"x\"\nread=[\"**\"]\nexcept={ host_user=\"alice\" }\n";
  const auto as = [&](const std::string& text, const std::string& user) {
    described.host_user = user;
    return policy_tests::tier(text, described);
  };
  CHECK(as(allow, "alice") == Tier::allow);
  CHECK(as(allow, "ci-7") == Tier::allow);
  CHECK(as(allow, "bob") == Tier::deny);
  CHECK(as(allow, "") == Tier::deny);
  CHECK(as(deny, "root") == Tier::deny);
  CHECK(as(deny, "bob") == Tier::allow);
  CHECK(as(deny, "") == Tier::deny);  // not known: it may be root
  CHECK(as(except, "alice") == Tier::allow);
  CHECK(as(except, "") == Tier::deny);
}

TEST_CASE("a tally is the same for the same text in the same place, and kept once for as many as it takes") {
  const std::string rule = "[[deny]]\nid=\"a\"\nrun=[\"x\"]\nafter={ read=[\"**/.env\"] }\n";
  const std::string other =
      "[[deny]]\nid=\"b\"\nrun=[\"y\"]\nafter={ read=[\"**/.env\"], count=5, within=\"1h\" }\n";
  const auto tallies = load(rule + other).tallies();
  REQUIRE(tallies.size() == 1);
  CHECK(tallies[0].keep == 5);
  CHECK(tallies[0].id == load(rule).tallies()[0].id);
  CHECK(load("[[ask]]\nid=\"a\"\nrun=[\"x\"]\nafter={ read=[\"**/*.env\"] }\n").tallies()[0].id !=
        tallies[0].id);
  CHECK(load("[[allow]]\nid=\"a\"\nrun=[\"x\"]\nafter={ read=[\"**/.env\"] }\n").tallies()[0].id !=
        tallies[0].id);
  CHECK(load(any_read).tallies().empty());
}

TEST_CASE("a history keeps what is needed, however long the mission") {
  const Tally tally{"t", TallyKind::possible, 0, 3};
  History history = History::empty();
  for (std::uint64_t i = 1; i <= 1000; ++i) history.add(tally, {i, static_cast<std::int64_t>(i)});
  history.set_now(1000);
  CHECK(history.count("t", std::nullopt) >= 3);
  CHECK(history.count("t", std::nullopt) <= 8);
  CHECK(history.latest("t", std::nullopt, 2) == std::vector<Passed>{{999, 999}, {1000, 1000}});
  CHECK(history.count("t", 1ns) == 2);
}

TEST_CASE("explain judges the first call of a mission, and says so") {
  const Policy policy = load(deny_push);
  const DescribedFiles files;
  const Explanation explanation = explain(policy, run("git push"), policy_tests::scene(files));
  CHECK(explanation.decision.tier == Tier::allow);
  CHECK(explanation_text(explanation).find("no earlier calls") != std::string::npos);
  CHECK(explanation_json(explanation).contains("history"));
  const Policy plain = load(any_read);
  CHECK(explanation_text(explain(plain, read("a"), policy_tests::scene(files))).find("earlier") ==
        std::string::npos);
}

TEST_CASE("what was asked by one rule is asked again when another asks") {
  Mission mission(any_read +
                  "[[ask]]\nid=\"push\"\nrun=[\"git push\"]\n[[deny]]\nid=\"late\"\nrun=[\"git "
                  "push\"]\nafter={ read=[\"**/.env\"], count=2 }\n[[ask]]\nid=\"first\"\nseverity=\"high\"\n"
                  "run=[\"git push\"]\nafter={ read=[\"**/.env\"] }\n");
  const Decision before = mission.judge(run("git push"));
  CHECK(asks_no_more(before, before));
  mission.pass(read("a"));
  CHECK(asks_no_more(mission.judge(run("git push")), before));
  mission.pass(read(".env"));
  CHECK_FALSE(asks_no_more(mission.judge(run("git push")), before));
}

namespace {

std::string joined(const std::vector<std::string>& rules) {
  std::string text;
  for (const std::string& rule : rules) text += rule;
  return text;
}

}  // namespace

TEST_CASE("laws hold for policies, histories and calls by chance") {
  std::mt19937 generator(20261130);
  const auto below = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(generator);
  };
  const auto pick = [&](std::initializer_list<const char*> list) {
    return std::string(*(list.begin() + below(list.size())));
  };
  int number = 0;
  const auto rule = [&](const std::string& kind) {
    std::string text =
        "[[" + kind + "]]\nid=\"r" + std::to_string(++number) + "\"\n" +
        pick({"read=[\"/w/**\"]\n", "run=[\"git push\"]\n", "run=[\"git\"]\n", "read=[\"**/.env\"]\n"});
    if (below(2) == 0)
      text += "after={ " + pick({"read=[\"**/.env\"]", "run=[\"git\"]", "read=[\"/w/**\"]"}) +
              pick({"", ", count=2", ", within=\"30s\""}) + " }\n";
    if (kind == "allow" && below(2) == 0) text += pick({"rate=\"1/min\"\n", "rate=\"3/h\"\n"});
    return text;
  };
  const std::vector<Call> calls{read("a"), read(".env"), run("git push"), run("git status"),
                                call("directory_tree", R"({"path":"."})")};
  for (int round = 0; round < 150; ++round) {
    std::vector<std::string> rules;
    for (std::size_t i = below(5); i > 0; --i) rules.push_back(rule(pick({"allow", "allow", "ask", "deny"})));
    const std::string head = pick({"", "default=\"ask\"\n"});
    const std::string extra_deny = rule("deny");
    const std::string extra_allow = rule("allow");
    std::vector<std::string> shuffled = rules;
    std::shuffle(shuffled.begin(), shuffled.end(), generator);
    std::vector<Mission> missions;
    for (const std::string& text : {head + joined(rules), head + joined(rules) + extra_deny,
                                    head + joined(rules) + extra_allow, head + joined(shuffled)})
      missions.emplace_back(text);
    const bool known = below(4) != 0;
    for (int step = 0; step < 8; ++step) {
      const Call& described = calls[below(calls.size())];
      const std::int64_t pause = static_cast<std::int64_t>(below(40)) * second;
      std::vector<Tier> tiers;
      for (Mission& mission : missions) {
        if (!known) mission.history.forget(std::nullopt);
        mission.now += pause;
        tiers.push_back(mission.tier(described));
        mission.pass(described);  // the same history for all of them
      }
      INFO(head << joined(rules) << "\n+ " << extra_deny << "\n+ " << extra_allow << "\n"
                << described.arguments.dump());
      CHECK(tiers[1] <= tiers[0]);
      CHECK(tiers[2] >= tiers[0]);
      CHECK(tiers[3] == tiers[0]);
    }
  }
}
