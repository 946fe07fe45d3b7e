#include "policy/redirect.hpp"

#include <algorithm>
#include <random>

#include "policy/load/load.hpp"
#include "policy/review/explain.hpp"
#include "tests/policy/verdicts.hpp"

using namespace policy;
using namespace policy_tests;
using base::json::Value;

namespace {

using LinkMap = std::map<std::string, std::string>;

const std::string stage =
    "[[allow]]\nid=\"stage\"\nwrite=[\"src/production/**\"]\n"
    "redirect={ write={ from=\"src/production\", to=\"staging/production\" } }\n";
const std::string staging = "[[allow]]\nid=\"staging\"\nwrite=[\"staging/**\"]\n";

Call write(const std::string& path) {
  return call("write_file", Value{{"path", path}, {"content", "x"}}.dump());
}

// The path that is passed on; empty: the call is not redirected.
std::string path_after(const Decision& decision) {
  if (!decision.redirected) return {};
  return Value::parse(decision.redirected->arguments).value("path", "");
}

std::string passed(const std::string& policy, const std::string& path, const LinkMap& links = {}) {
  const Decision decision = judged(policy, write(path), links);
  return std::string(name(decision.tier)) + " " + path_after(decision);
}

std::string why(const std::string& policy, const Call& call, const LinkMap& links = {}) {
  const Decision decision = judged(policy, call, links);
  const Reason* reason = deciding(decision);
  return reason == nullptr ? "" : std::string(name(decision.tier)) + " " + reason->rule + ": " + reason->why;
}

std::string complaint(const std::string& keys) {
  const auto errors =
      check_source({Layer::mission, "p.toml", "version = 1\n" + keys, true}, {"/w", "/home/dev"});
  return errors.empty() ? "" : errors.front().text();
}

std::string rule(const std::string& redirect) {
  return "[[allow]]\nid = \"x\"\npath = \"src/**\"\nconnect = \"@any\"\nredirect = { " + redirect + " }\n";
}

}  // namespace

TEST_CASE("a declared path is moved component by component and keeps its form") {
  const std::string policy = stage + staging;
  CHECK(passed(policy, "src/production/a.ts") == "ALLOW staging/production/a.ts");
  CHECK(passed(policy, "./src//production/x/../a.ts") == "ALLOW staging/production/a.ts");
  CHECK(passed(policy, "/w/src/production/a.ts") == "ALLOW /w/staging/production/a.ts");
  CHECK(passed(policy, "src/production") == "ALLOW staging/production");
  CHECK(passed(policy, "src/production/d/") == "ALLOW staging/production/d/");
  CHECK(passed(policy, "src/production2/a.ts") == "DENY ");
  CHECK(passed(policy, "staging/a") == "ALLOW ");
  const std::string out =
      "[[allow]]\nid=\"o\"\nwrite=[\"src/**\", \"/tmp/**\"]\nredirect={ write={ from=\"src\", to=\"/tmp/x\" "
      "} }\n";
  CHECK(passed(out, "src/a") == "ALLOW /tmp/x/a");
}

TEST_CASE("the rewritten call must itself pass, and the stricter answer of both holds") {
  CHECK(passed(stage, "src/production/a") == "DENY staging/production/a");
  CHECK(passed(ask + stage, "src/production/a") == "ASK staging/production/a");
  CHECK(passed(stage + staging + "[[deny]]\nid=\"d\"\nwrite=[\"staging/**\"]\n", "src/production/a") ==
        "DENY staging/production/a");
  const std::string denied = stage + staging + "[[deny]]\nid=\"d\"\nwrite=[\"src/**\"]\n";
  CHECK(passed(denied, "src/production/a") == "DENY ");
}

TEST_CASE("what redirects is counted, granted and held back as what passes is") {
  const std::string rated =
      "[[allow]]\nid=\"stage\"\nwrite=[\"src/production/**\"]\nrate=\"2/min\"\n"
      "redirect={ write={ from=\"src/production\", to=\"staging/production\" } }\n" +
      staging;
  const Policy counted = load(rated);
  const DescribedFiles files;
  const Decision first = counted.judge(write("src/production/a"), scene(files), History::empty());
  CHECK(first.tier == Tier::allow);
  REQUIRE(counted.tallies().size() == 1);
  CHECK(first.tallies == std::vector<std::string>{counted.tallies().front().id});
  CHECK(counted.judge(write("staging/a"), scene(files), History::empty()).tallies.empty());

  // The grant of the call as it came stays on record.
  const std::string asks =
      "[[ask]]\nid=\"stage\"\nwrite=[\"src/production/**\"]\n"
      "redirect={ write={ from=\"src/production\", to=\"staging/production\" } }\n" +
      staging;
  const auto grant = load_grant("g", "[[allow]]\nid = \"grant\"\nserver = \"files\"\nwrite = [\"src/**\"]\n",
                                {"/w", "/home/dev"});
  REQUIRE(grant.has_value());
  const auto granted = load(asks).judge_granted(write("src/production/a"), scene(files), {},
                                                {{1, std::make_shared<const Rule>(*grant)}});
  REQUIRE(granted.has_value());
  CHECK(path_after(*granted) == "staging/production/a");
  CHECK(std::any_of(granted->reasons.begin(), granted->reasons.end(),
                    [](const Reason& reason) { return reason.grant != 0; }));

  // What else the call does counts as before, for the redirect as for the ask.
  const std::string after =
      "[[ask]]\nid=\"late\"\nwrite=[\"src/**\"]\nafter={ read=[\"secret\"] }\n"
      "redirect={ write={ from=\"src\", to=\"staging\" } }\n" +
      staging + "[[allow]]\nid=\"reads\"\nread=[\"**\"]\nwrite=[\"src/**\"]\n" +
      "[tools.\"files/pair\"]\nread=\"/from\"\nwrite=\"/path\"\n";
  const Decision both = load(after).judge(call("pair", Value{{"from", "secret"}, {"path", "src/a"}}.dump()),
                                          scene(files), History::empty());
  CHECK(both.tier == Tier::ask);
  CHECK(path_after(both) == "staging/a");
  const Decision other = load(after).judge(call("pair", Value{{"from", "plain"}, {"path", "src/a"}}.dump()),
                                           scene(files), History::empty());
  CHECK(other.tier == Tier::allow);
  CHECK_FALSE(other.redirected.has_value());
}

TEST_CASE("an ask that redirects shows the call as it came and as it would be passed on") {
  std::string policy = stage + staging;
  policy.replace(policy.find("allow"), 5, "ask");
  const Decision decision = judged(policy, write("src/production/a"));
  CHECK(decision.tier == Tier::ask);
  CHECK(path_after(decision) == "staging/production/a");
  std::string shown;
  for (const Effect& effect : decision.effects) shown += summary(effect) + " [" + effect.note + "]\n";
  CHECK(shown.find("write /w/staging/production/a []\n") != std::string::npos);
  CHECK(shown.find("write /w/src/production/a [as asked, before the redirect]\n") != std::string::npos);
  REQUIRE(decision.reasons.size() == decision.effects.size());
  CHECK(decision.reasons.back().effect == decision.effects.size() - 1);
}

TEST_CASE("what a redirect leaves as it was is shown once") {
  const std::string policy =
      "[[ask]]\nid=\"s\"\nread=[\"**\"]\nwrite=[\"src/**\", \"staging/**\"]\n"
      "redirect={ write={ from=\"src\", to=\"staging\" } }\n"
      "[tools.\"files/pair\"]\nread=\"/from\"\nwrite=\"/path\"\n";
  const Decision decision = judged(policy, call("pair", Value{{"from", "secret"}, {"path", "src/a"}}.dump()));
  REQUIRE(decision.redirected.has_value());
  const auto count = [&](const std::string& path) {
    return std::count_if(decision.effects.begin(), decision.effects.end(),
                         [&](const Effect& effect) { return effect.path.lexical == path; });
  };
  CHECK(count("/w/secret") == 1);
  CHECK(count("/w/staging/a") == 1);
  CHECK(count("/w/src/a") == 1);
  CHECK(decision.tier == Tier::ask);
}

TEST_CASE("what stands in a shell line or is guessed is not rewritten, and the call is denied") {
  const std::string policy = stage + staging + "[[allow]]\nid=\"r\"\nrun=[\"echo\"]\n";
  CHECK(why(policy, run("echo x > src/production/a")) ==
        "DENY stage: its redirect does not apply: it stands in what runs, which is never rewritten");
  CHECK(tier(policy, run("echo x > staging/a")) == Tier::allow);
  const std::string named = stage + "[[allow]]\nid=\"t\"\nserver=\"other\"\ntool=\"do\"\n";
  CHECK(why(named, call("do", R"({"path":"src/production/a"})", "other")) ==
        "DENY stage: its redirect does not apply: it is only guessed from the arguments");
  CHECK(tier(named, call("do", R"({"path":"elsewhere"})", "other")) == Tier::allow);
}

TEST_CASE("links before or after a redirect deny the call") {
  const std::string policy = stage + staging;
  CHECK(why(policy, write("src/production/l"), {{"/w/src/production/l", "/etc/x"}}).substr(0, 4) == "DENY");
  const std::string wide =
      "[[ask]]\nid=\"s\"\nwrite=[\"**\"]\nredirect={ write={ from=\"src/production\", "
      "to=\"staging/production\" } }\n";
  CHECK(why(wide, write("src/production/l"), {{"/w/src/production/l", "/w/src/production/b"}}) ==
        "DENY s: its redirect does not apply: links lead the path elsewhere");
  CHECK(why(wide, write("l/a"), {{"/w/l", "/w/src/production"}}) ==
        "DENY s: its redirect does not apply: links lead the path elsewhere");
  CHECK(why(wide, write("src/production/a"), {{"/w/staging", "/etc"}}) ==
        "DENY s: its redirect does not apply: links lead elsewhere where it would be redirected to");
  CHECK(passed(policy, "src/production/a", {{"/w", "/data/w"}}) == "ALLOW staging/production/a");
}

TEST_CASE("a path with several readings and a tree that holds more are not redirected") {
  const std::string wide =
      "[[ask]]\nid=\"s\"\npath=[\"**\"]\nredirect={ path={ from=\"/home/dev/p\", to=\"/w/p\" } }\n";
  CHECK(why(wide, write("~/p/a")) ==
        "DENY s: its redirect does not apply: the path can be read in several ways");
  CHECK(why(wide, write("file:///home/dev/p/a")).substr(0, 4) == "DENY");
  CHECK(why(wide, call("directory_tree", R"({"path":"/home/dev"})")) ==
        "DENY s: its redirect does not apply: the call covers more than what is redirected");
  Call elsewhere = write("p/a");
  elsewhere.folders = {"/home/dev"};
  CHECK(why(wide, elsewhere) == "DENY s: its redirect does not apply: the path can be read in several ways");
}

TEST_CASE("a call is redirected once, and redirects that conflict deny it") {
  const std::string chain = stage +
                            "[[allow]]\nid=\"next\"\nwrite=[\"staging/**\"]\nredirect={ write={ "
                            "from=\"staging\", to=\"third\" } }\n"
                            "[[allow]]\nid=\"third\"\nwrite=[\"third/**\"]\n";
  CHECK(why(chain, write("src/production/a")) ==
        "DENY next: its redirect does not apply: the call has been redirected once already");
  CHECK(passed(chain, "staging/a") == "ALLOW third/a");
  const std::string other =
      "[[allow]]\nid=\"other\"\nwrite=[\"src/**\"]\nredirect={ write={ from=\"src\", to=\"staging\" } }\n";
  CHECK(passed(other + stage + staging, "src/production/a") == "ALLOW staging/production/a");
  std::string clash = other;
  clash.replace(clash.find("to=\"staging\""), 12, "to=\"staging/o\"");
  CHECK(why(clash + stage + staging, write("src/production/a")).find("it conflicts with that of `") !=
        std::string::npos);
  CHECK(passed(clash + stage + staging, "src/b") == "ALLOW staging/o/b");
}

TEST_CASE("an address moves to another host and keeps its path and query") {
  const std::string policy =
      "[tools.\"web/get\"]\nconnect=\"/url\"\n"
      "[[allow]]\nid=\"api\"\nconnect=[\"api.example.com\"]\n"
      "redirect={ connect={ from=\"https://api.example.com\", to=\"https://staging.example.com:8443\" } }\n"
      "[[allow]]\nid=\"s\"\nconnect=[\"https://staging.example.com:8443\"]\n";
  const auto url = [&](const std::string& written) {
    const Decision decision = judged(policy, call("get", Value{{"url", written}}.dump(), "web"));
    return std::string(name(decision.tier)) + " " +
           (decision.redirected ? Value::parse(decision.redirected->arguments).value("url", "") : "");
  };
  CHECK(url("https://api.example.com/v1?a=b#c") == "ALLOW https://staging.example.com:8443/v1?a=b#c");
  CHECK(url("HTTPS://API.example.com:443") == "ALLOW https://staging.example.com:8443");
  CHECK(url("https://me@api.example.com/") == "DENY ");
  CHECK(url("https://api.example.com.evil.net/") == "DENY ");
  CHECK(why(policy + "[[allow]]\nid=\"r\"\nrun=[\"curl\"]\n", run("curl https://api.example.com/"))
            .substr(0, 4) == "DENY");
}

TEST_CASE("an argument that is declared is set, also where it is missing") {
  const std::string policy =
      "[tools.\"mine/deploy\"]\nwrite=\"/path\"\nignore=[\"/dry_run\", \"/options\"]\n"
      "[tools.\"mine/sh\"]\nrun=\"/command\"\nshell=\"sh\"\n"
      "[[allow]]\nid=\"d\"\nserver=\"mine\"\ntool=\"deploy\"\nredirect={ argument={ \"/dry_run\"=true } }\n";
  const auto after = [&](const std::string& arguments) {
    const Decision decision = judged(policy, call("deploy", arguments, "mine"));
    return std::string(name(decision.tier)) + " " +
           (decision.redirected ? decision.redirected->arguments : "");
  };
  CHECK(after(R"({"path":"a"})") == R"(ALLOW {"dry_run":true,"path":"a"})");
  CHECK(after(R"({"dry_run":false,"path":"a"})") == R"(ALLOW {"dry_run":true,"path":"a"})");
  CHECK(after(R"({"dry_run":true,"path":"a"})") == "ALLOW ");
  const auto set = [&](const std::string& tool, const std::string& pointer) {
    return policy + "[[allow]]\nid=\"y\"\nserver=\"mine\"\ntool=\"" + tool + "\"\nredirect={ argument={ \"" +
           pointer + "\"=1 } }\n";
  };
  CHECK(why(set("deploy", "/options/a"), call("deploy", R"({"path":"a"})", "mine")) ==
        "DENY y: its redirect does not apply: the call has nothing to set `/options/a` in");
  CHECK(why(set("deploy", "/mode"), call("deploy", R"({"path":"a"})", "mine")) ==
        "DENY y: its redirect does not apply: no declaration of the tool names `/mode`");
  CHECK(why(set("sh", "/command"), call("sh", R"({"command":"ls"})", "mine")) ==
        "DENY y: its redirect does not apply: what runs is not redirected");
  CHECK(why(set("deploy", "/path"), call("deploy", R"({"path":"a"})", "mine")).substr(0, 4) == "DENY");
}

TEST_CASE("only tool calls are redirected") {
  Call resource = call("", R"({"uri":"file:///w/src/a"})");
  resource.method = "resources/read";
  const std::string policy =
      "[[ask]]\nid=\"r\"\nread=[\"src/**\"]\nredirect={ read={ from=\"src\", to=\"other\" } }\n";
  CHECK(why(policy, resource) ==
        "DENY r: its redirect does not apply: only arguments of tool calls are redirected");
}

TEST_CASE("neither an untrusted repository nor an allow that does not count redirects") {
  const DescribedFiles files;
  std::string asking = stage;
  asking.replace(asking.find("allow"), 5, "ask");
  const Source above{Layer::organisation, "o.toml", "version=1\n" + allow_w, true};
  const auto untrusted =
      Policy::load({above, {Layer::repository, "r.toml", "version=1\n" + asking, false}}, "/w", "/home/dev")
          .value();
  const Decision asked = untrusted.judge(write("src/production/a"), policy_tests::scene(files));
  CHECK(asked.tier == Tier::ask);
  CHECK_FALSE(asked.redirected.has_value());
  const Source narrow{Layer::organisation, "o.toml",
                      "version=1\n" + allow_w + "[delegate]\nallow=[\"read\"]\n", true};
  const auto undelegated =
      Policy::load({narrow, {Layer::user, "u.toml", "version=1\n" + stage, true}}, "/w", "/home/dev").value();
  CHECK_FALSE(
      undelegated.judge(write("src/production/a"), policy_tests::scene(files)).redirected.has_value());
}

TEST_CASE("what is wrong with a redirect is said at its place") {
  CHECK(complaint(rule("path = { from = \"src\", to = \"out/\" }")).empty());
  CHECK(complaint(rule("")).find("p.toml:6:12: `redirect` is empty") == 0);
  CHECK(complaint(rule("path = { from = \"src\" }")).find("needs `from` and `to`") != std::string::npos);
  CHECK(complaint(rule("path = { from = \"src/**\", to = \"o\" }")).find("`src/**` holds a wildcard") !=
        std::string::npos);
  CHECK(complaint(rule("path = { from = \"src\", to = \"src/x\" }")).find("`src/x` lies in `src`") !=
        std::string::npos);
  CHECK(complaint(rule("pth = { from = \"src\", to = \"o\" }")).find("did you mean `path`?") !=
        std::string::npos);
  CHECK(complaint(rule("connect = { from = \"api.example.com\", to = \"https://b.example\" }"))
            .find("`api.example.com` is no scheme and host") != std::string::npos);
  CHECK(complaint(rule("connect = { from = \"https://a.example/x\", to = \"https://b.example\" }")) != "");
  CHECK(complaint(rule("argument = { \"x\" = 1 }")) != "");
  CHECK(complaint(rule("argument = { \"/x\" = [1] }")).find("a string, a number or a boolean") !=
        std::string::npos);
  CHECK(
      complaint("[[ask]]\nid=\"x\"\nread=\"a\"\nresult=[\"x\"]\nredirect={ read={ from=\"a\", to=\"b\" } }\n")
          .find("`redirect` does not go with `result`") != std::string::npos);
  CHECK(complaint("[[deny]]\nid=\"x\"\nredirect={ read={ from=\"a\", to=\"b\" } }\n")
            .find("`redirect` stands in allow and ask rules") != std::string::npos);
  CHECK(complaint("[[allow]]\nid=\"x\"\nread=\"a\"\nredirect={ write={ from=\"a\", to=\"b\" } }\n")
            .find("the redirect never applies: the rule covers no `write`") != std::string::npos);
}

TEST_CASE("explain shows what is redirected, and the call before and after") {
  const DescribedFiles files;
  const Policy loaded = policy_tests::load(stage + staging);
  const Explanation explained = explain(loaded, write("src/production/a"), policy_tests::scene(files));
  const std::string text = explanation_text(explained);
  CHECK(text.find("ALLOW\n  redirected: `/path` becomes `\"staging/production/a\"` in place of "
                  "`\"src/production/a\"`, by `stage` at test.toml:2\n") == 0);
  CHECK(text.find("  ALLOW  write /w/staging/production/a\n    decided by: rule `staging`") !=
        std::string::npos);
  CHECK(text.find("as it was asked: ALLOW\n") != std::string::npos);
  CHECK(text.find("  ALLOW  write /w/src/production/a\n    decided by: rule `stage`") != std::string::npos);
  const Value json = explanation_json(explained);
  CHECK(json["redirected"]["arguments"]["path"] == "staging/production/a");
  CHECK(json["redirected"]["changes"][0]["was"] == "src/production/a");
  CHECK(json["asked"]["decision"] == "ALLOW");
  CHECK(explain_redirect(*explained.decision.redirected) ==
        "callgate redirected this call: `/path` is `\"staging/production/a\"` in place of "
        "`\"src/production/a\"`, by "
        "rule `stage`");
}

TEST_CASE("laws hold with redirects by chance, and nothing passes where it was redirected from") {
  std::mt19937 generator(20261130);
  const auto below = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(generator);
  };
  const auto pick = [&](std::initializer_list<const char*> list) {
    return std::string(*(list.begin() + below(list.size())));
  };
  int number = 0;
  const auto any_rule = [&](const std::string& kind, bool redirects) {
    const std::string from = pick({"a", "b", "a/x"});
    std::string text = "[[" + kind + "]]\nid=\"r" + std::to_string(++number) + "\"\npath=[\"" +
                       pick({"**", "a/**", "b/**", "c/**"}) + "\"]\n";
    if (redirects)
      text += "redirect={ path={ from=\"" + from + "\", to=\"" + pick({"c", "c/x", "d"}) + "\" } }\n";
    return text;
  };
  std::size_t redirected = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> rules;
    for (std::size_t i = below(5); i > 0; --i) {
      const std::string kind = pick({"allow", "allow", "ask", "deny"});
      rules.push_back(any_rule(kind, kind != "deny" && below(2) == 0));
    }
    std::string plain;
    for (const std::string& each : rules) plain += each;
    std::shuffle(rules.begin(), rules.end(), generator);
    std::string shuffled;
    for (const std::string& each : rules) shuffled += each;
    const std::string more_deny = plain + any_rule("deny", false);
    const std::string more_allow = plain + any_rule("allow", false);
    for (int i = 0; i < 4; ++i) {
      const Call described = write(pick({"a/1", "a/x/1", "b/1", "c/1", "l/1", "/w/a"}));
      const LinkMap links{{"/w/l", "/w/a"}};
      const Decision decision = judged(plain, described, links);
      INFO(plain << "\n" << described.arguments.dump());
      CHECK(tier(more_deny, described, links) <= decision.tier);
      CHECK(tier(more_allow, described, links) >= decision.tier);
      const Decision other = judged(shuffled, described, links);
      CHECK(other.tier == decision.tier);
      if (decision.tier != Tier::deny) CHECK(path_after(other) == path_after(decision));
      if (decision.tier == Tier::deny || !decision.redirected) continue;
      // Nothing passes where it would be redirected from again.
      ++redirected;
      CHECK_FALSE(judged(plain, write(path_after(decision)), links).redirected.has_value());
    }
  }
  CHECK(redirected > 20);
}
