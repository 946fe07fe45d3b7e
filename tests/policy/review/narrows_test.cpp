#include "policy/review/narrows.hpp"

#include <random>
#include <string>
#include <vector>

#include "policy/load/built_in.hpp"
#include "tests/policy/verdicts.hpp"

using namespace policy;
using policy_tests::run;

namespace {

const Anchors anchors{"/w", "/home/dev"};

const std::string version = "version = 1\n";
const std::string allow_src = "[[allow]]\nid = \"src\"\nread = [\"src/**\"]\n";
const std::string allow_all = "[[allow]]\nid = \"src\"\nread = [\"**\"]\n";
const std::string deny_env = "[[deny]]\nid = \"env\"\npath = [\"**/.env\"]\n";
const std::string ask_push = "[[ask]]\nid = \"push\"\nrun = [\"git push\"]\n";

Source file(const std::string& text, Layer layer = Layer::user, bool trusted = true) {
  return {layer, "policy.toml", version + text, trusted};
}

bool only_narrows(const std::vector<Source>& before, const std::vector<Source>& after) {
  return policy::only_narrows(before, after, anchors);
}

bool narrows(const std::string& before, const std::string& after) {
  return only_narrows({built_in_source(), file(before)}, {built_in_source(), file(after)});
}

std::string allow(const std::string& keys) { return "[[allow]]\nid = \"a\"\n" + keys + "\n"; }
std::string ask(const std::string& keys) { return "[[ask]]\nid = \"q\"\n" + keys + "\n"; }
std::string deny(const std::string& keys) { return "[[deny]]\nid = \"d\"\n" + keys + "\n"; }

}  // namespace

TEST_CASE("fewer allows, and more denies and asks, only narrow") {
  CHECK(narrows(allow_src, allow_src));
  CHECK(narrows(allow_src, ""));
  CHECK(narrows(allow_src, allow_src + deny_env));
  const std::string asks = "default = \"ask\"\n";
  CHECK(narrows(asks + allow_src, asks + allow_src + deny_env + ask_push));
  // It would be asked for instead of denied.
  CHECK_FALSE(narrows(allow_src, allow_src + ask_push));
  CHECK_FALSE(narrows("default = \"deny\"\n", "default = \"deny\"\n" + ask_push));
  CHECK(narrows(allow_src + deny_env, deny_env + "# the same rules\n"));
  CHECK(narrows(allow_src + deny_env, "\n" + deny_env));
  CHECK(narrows(deny_env + allow_src, allow_src + deny_env));
}

TEST_CASE("anything else may let more pass") {
  CHECK_FALSE(narrows("", allow_src));
  CHECK_FALSE(narrows(allow_src, allow_all));
  CHECK_FALSE(narrows(deny_env, ""));
  CHECK_FALSE(narrows(ask_push, ""));
  CHECK_FALSE(narrows(deny_env, "[[ask]]\nid = \"env\"\npath = [\"**/.env\"]\n"));
  CHECK_FALSE(narrows("", "default = \"ask\"\n"));
  CHECK_FALSE(narrows("", "[tools.\"a/b\"]\nread = \"/x\"\n"));
  CHECK_FALSE(narrows("", "neutral_variables = [\"X\"]\n"));
  CHECK_FALSE(narrows(allow_src, "[[allow"));
}

TEST_CASE("a layer that comes or goes is judged by what it says") {
  const std::vector<Source> one{built_in_source(), file(allow_src)};
  CHECK(only_narrows(one, {one[0], one[1], file(deny_env, Layer::mission)}));
  CHECK_FALSE(only_narrows(one, {one[0], one[1], file(allow_all, Layer::mission)}));
  CHECK(only_narrows({one[0], one[1], file(allow_all, Layer::mission)}, one));
  CHECK_FALSE(only_narrows({one[0], one[1], file(deny_env, Layer::mission)}, one));
  CHECK_FALSE(only_narrows({built_in_source(), baseline_source()}, one));
}

TEST_CASE("a repository's file allows by its trust") {
  const auto repository = [](const std::string& text, bool trusted) {
    return std::vector<Source>{built_in_source(), file(text, Layer::repository, trusted)};
  };
  CHECK(only_narrows(repository(allow_src, true), repository(allow_all, false)));
  CHECK(only_narrows(repository(allow_all, false), repository(allow_all, true)));
  CHECK(only_narrows(repository(allow_src + deny_env, true), repository(allow_all, true)));
  CHECK_FALSE(only_narrows(repository(allow_src + deny_env, true), repository(allow_src, false)));
}

TEST_CASE("what rewrites calls neither comes nor goes by itself, and what searches answers only comes") {
  const auto user = [](const std::string& text) {
    return std::vector<Source>{built_in_source(), file(text, Layer::user)};
  };
  const std::string moves =
      "[[allow]]\nid=\"m\"\nwrite=[\"p/**\"]\nredirect={ write={ from=\"p\", to=\"s\" } }\n";
  const std::string searches = "[[deny]]\nid=\"r\"\nresult=[\"x\"]\n";
  CHECK(only_narrows(user(allow_all + moves), user(moves)));
  CHECK_FALSE(only_narrows(user(allow_all + moves), user(allow_all)));
  CHECK_FALSE(only_narrows(user(allow_all), user(allow_all + moves)));
  CHECK(only_narrows(user(allow_all), user(allow_all + searches)));
  CHECK_FALSE(only_narrows(user(allow_all + searches), user(allow_all)));
  CHECK_FALSE(only_narrows(user(allow_all + searches), user(allow_all + searches + "redact = true\n")));
}

TEST_CASE("what narrows inside a rule narrows") {
  CHECK(narrows(allow("read = [\"src/**\", \"docs/**\"]"), allow("read = [\"src/**\"]")));
  CHECK(narrows(allow("read = [\"src/**\"]"), allow("read = [\"src/a/**\"]")));
  CHECK(narrows(allow("read = [\"**\"]"), allow("read = [\"**\"]\nexcept.read = [\"x\"]")));
  CHECK(narrows(allow("read = [\"**\"]\nexcept.read = [\"x\"]"),
                allow("read = [\"**\"]\nexcept.read = [\"y\", \"x\"]")));
  CHECK(narrows(allow("run = [\"git\"]"), allow("run = [\"git {status,log}\"]")));
  CHECK(narrows(allow("run = [\"git {status,log}\"]"), allow("run = [\"git log $\"]")));
  CHECK(narrows(allow("connect = [\"*.example.com\"]"),
                allow("connect = [\"GET https://a.example.com/v1/**\"]")));
  CHECK(narrows(allow("read = [\"**\"]"), allow("read = [\"**\"]\ntool = \"read_file\"\nrate = \"3/min\"")));
  CHECK(narrows(allow("write = [\"**\"]\nrate = \"9/min\""), allow("write = [\"**\"]\nrate = \"3/min\"")));
  CHECK(narrows(deny("path = [\"x\"]"), deny("path = [\"x\", \"y/**\"]\nseverity = \"high\"")));
  CHECK(narrows(deny("path = [\"**\"]\nexcept.path = [\"a\", \"b\"]"),
                deny("path = [\"**\"]\nexcept.path = [\"a\"]")));
  CHECK(narrows(deny("run = [\"git push\"]"), deny("run = [\"git\"]")));
  CHECK(narrows(ask("run = [\"git push\"]"), deny("run = [\"git push\"]")));
  const std::string asks = "default = \"ask\"\n";
  CHECK(narrows(asks, "default = \"deny\"\n"));
  CHECK(narrows(asks, "default = { run = \"deny\", other = \"ask\" }\n"));
  CHECK(narrows(asks, ""));
  CHECK(narrows(asks + ask("run = [\"git push\"]"), asks + ask("run = [\"git push\", \"npm publish\"]")));
  // Only where the default of that kind asks.
  const std::string runs = "default = { run = \"ask\", other = \"deny\" }\n";
  CHECK(narrows(runs, runs + ask("run = [\"npm\"]")));
  CHECK_FALSE(narrows(runs, runs + ask("write = [\"x\"]")));
  // What is not said of effects is not looked at.
  CHECK(narrows(allow("read = [\"**\"]"), "[[allow]]\nid = \"b\"\nread = [\"**\"]\nwhy = \"w\"\n"));
}

TEST_CASE("what widens inside a rule does not narrow") {
  CHECK_FALSE(narrows(allow("read = [\"src/**\"]"), allow("read = [\"src/**\", \"docs/**\"]")));
  CHECK_FALSE(narrows(allow("read = [\"**\"]\nexcept.read = [\"x\", \"y\"]"),
                      allow("read = [\"**\"]\nexcept.read = [\"x\"]")));
  CHECK_FALSE(narrows(allow("run = [\"git log\"]"), allow("run = [\"git\"]")));
  // `*` does not lead out by `..`, and a line for a shell is covered as it stands only where every word is
  // named.
  CHECK_FALSE(narrows(allow("run = [\"cat d/*\"]"), allow("run = [\"cat d/../x\"]")));
  CHECK_FALSE(narrows(allow("run = [\"bash\"]"), allow("run = [\"bash -c ls\"]")));
  // What runs elsewhere needs an allow that names its folder.
  CHECK_FALSE(narrows(allow("run = [\"git\"]"), allow("run = [\"git\"]\ncwd = [\"/x/**\"]")));
  CHECK_FALSE(narrows(allow("write = [\"**\"]\nrate = \"9/min\""), allow("write = [\"**\"]")));
  // Under another name or of other paths it would be counted from nothing.
  CHECK_FALSE(narrows(allow("write = [\"**\"]\nrate = \"9/min\""),
                      "[[allow]]\nid = \"renamed\"\nwrite = [\"**\"]\nrate = \"9/min\"\n"));
  CHECK_FALSE(
      narrows(allow("write = [\"**\"]\nrate = \"9/min\""), allow("write = [\"src/**\"]\nrate = \"9/min\"")));
  // A rate for each of two parts is twice the rate.
  CHECK_FALSE(narrows(allow("write = [\"a\", \"b\"]\nrate = \"9/min\""),
                      allow("write = [\"a\"]\nrate = \"9/min\"") +
                          "[[allow]]\nid = \"b\"\nwrite = [\"b\"]\nrate = \"9/min\"\n"));
  // The folder that an allow begins in may be reached by where the workspace leads.
  CHECK_FALSE(narrows(allow("read = [\"/w/../**\"]\nexcept.read = [\"/x\"]"),
                      allow("read = [\"src/**\"]\nexcept.read = [\"/y\"]")));
  CHECK_FALSE(narrows(deny("path = [\"x\", \"y\"]"), deny("path = [\"x\"]")));
  CHECK_FALSE(narrows(deny("path = [\"x\"]"), deny("path = [\"x\"]\ntool = \"read_file\"")));
  CHECK_FALSE(
      narrows(deny("path = [\"x\"]\nseverity = \"high\""), deny("path = [\"x\"]\nseverity = \"low\"")));
  CHECK_FALSE(narrows(deny("path = [\"x\"]\nclass = \"malicious\""), deny("path = [\"x\"]")));
  CHECK_FALSE(narrows(deny("path = [\"x\"]"), deny("path = [\"x\"]\nexcept.tool = \"t\"")));
  CHECK_FALSE(narrows(deny("path = [\"x\"]"), deny("path = [\"x\"]\nafter.read = [\"y\"]")));
  // By links a folder is met under another name: one above it is not.
  CHECK_FALSE(narrows(deny("path = [\"~/link/**\"]"), deny("path = [\"~/**\"]")));
  CHECK(narrows(deny("path = [\"~/link/**\"]"), deny("path = [\"/**\"]")));
  // A word that looks like no path is not asked for where all of the workspace is.
  const std::string asks = "default = \"ask\"\n";
  CHECK_FALSE(narrows(asks + ask("write = [\"src/**\"]"), asks + ask("write = [\"**\"]")));
  // What is asked for its content no grant answers.
  CHECK_FALSE(narrows(asks + ask("write = [\"**\"]\ncontent = [\"x\"]"), asks + ask("write = [\"**\"]")));
  CHECK_FALSE(narrows("default = \"deny\"\n", asks));
  CHECK_FALSE(narrows("default = \"deny\"\n", ""));
  CHECK_FALSE(narrows("default = { run = \"deny\", other = \"ask\" }\n", asks));
}

namespace {

using Random = std::minstd_rand;
using Texts = std::vector<std::string>;

template <class List>
const auto& one_of(const List& list, Random& random) {
  return list[random() % list.size()];
}

const Texts paths{"a",     "a/**", "a/b",  "a/b/**", "**",       "**/.env", "**/x",  "*",      "a/*",
                  "/w/**", "/**",  "~/**", "~/l/**", "/real/**", "re:/a/",  "/w/a/", "a/**/x", "/home/**"};
const Texts commands{"git",       "git log", "git log $", "git {log,status}", "git *",
                     "cat",       "cat *",   "cat a/*",   "cat ../x",         "bash",
                     "bash -c *", "make",    "sudo",      "sudo git",         "*"};
const Texts destinations{
    "@any",        "@private", "a.example.com",          "*.example.com",
    "10.0.0.0/8",  "10.0.0.1", "http://a.example.com:*", "GET https://a.example.com/v/**",
    "https://@any"};

// A rule as data, so that a part of it can be changed.
struct Drawn {
  std::string tier = "allow";
  std::map<std::string, Texts> lists;
  std::map<std::string, Texts> except;
  std::string more;
};

Texts drawn_list(const std::string& key, Random& random) {
  const Texts& from = key == "run" ? commands : key == "connect" ? destinations : paths;
  Texts list;
  for (std::size_t i = 0; i < 1 + random() % 3; ++i) list.push_back(one_of(from, random));
  return list;
}

std::map<std::string, Texts> drawn_lists(Random& random) {
  std::map<std::string, Texts> lists;
  for (const char* key : {"read", "write", "delete", "run", "connect"})
    if (random() % 3 == 0) lists[key] = drawn_list(key, random);
  if (lists.empty()) lists["path"] = drawn_list("path", random);
  return lists;
}

Drawn drawn_rule(Random& random) {
  static const Texts more{"",
                          "",
                          "",
                          "tool = \"run_command\"\n",
                          "server = [\"files\", \"workshop\"]\n",
                          "argument.\"/path\" = \"a*\"\n",
                          "content = [\"x\"]\n",
                          "content = [\"x\", \"y\"]\n",
                          "elevated = true\n",
                          "cwd = [\"a/**\"]\n"};
  Drawn rule{
      one_of(Texts{"allow", "allow", "ask", "deny"}, random), drawn_lists(random), {}, one_of(more, random)};
  if (random() % 3 == 0)  // of what the rule is about, else it does not load
    for (const auto& [key, list] : rule.lists) rule.except[key] = drawn_list(key, random);
  return rule;
}

struct DrawnPolicy {
  std::string fallback;
  std::vector<Drawn> rules;
};

DrawnPolicy drawn_policy(Random& random) {
  DrawnPolicy policy{one_of(Texts{"", "default = \"ask\"\n", "default = \"deny\"\n",
                                  "default = { run = \"ask\", other = \"deny\" }\n"},
                            random),
                     {}};
  for (std::size_t i = 0; i < 1 + random() % 4; ++i) policy.rules.push_back(drawn_rule(random));
  return policy;
}

void change_list(std::map<std::string, Texts>& lists, const std::string& key, Random& random) {
  Texts& list = lists[key];
  if (list.size() > 1 && random() % 2 == 0)
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(random() % list.size()));
  else if (!list.empty() && random() % 2 == 0)
    list[random() % list.size()] = one_of(drawn_list(key, random), random);
  else
    list.push_back(one_of(drawn_list(key, random), random));
}

void change(DrawnPolicy& policy, Random& random) {
  Drawn& rule = policy.rules[random() % policy.rules.size()];
  switch (random() % 7) {
    case 0: policy.fallback = drawn_policy(random).fallback; break;
    case 1: policy.rules.push_back(drawn_rule(random)); break;
    case 2:
      if (policy.rules.size() > 1) policy.rules.pop_back();
      break;
    case 3: rule.more = drawn_rule(random).more; break;
    case 4:
      change_list(
          rule.except,
          std::next(rule.lists.begin(), static_cast<std::ptrdiff_t>(random() % rule.lists.size()))->first,
          random);
      break;
    case 5: rule.tier = drawn_rule(random).tier; break;
    default:
      change_list(rule.lists, one_of(Texts{"read", "write", "delete", "run", "connect", "path"}, random),
                  random);
      break;
  }
}

std::string list_text(const std::string& key, const Texts& list) {
  std::string text = key + " = [";
  for (const std::string& each : list) text += "\"" + each + "\", ";
  return text + "]\n";
}

std::string text_of(const DrawnPolicy& policy) {
  std::string text = version + policy.fallback;
  for (std::size_t i = 0; i < policy.rules.size(); ++i) {
    const Drawn& rule = policy.rules[i];
    text += "[[" + rule.tier + "]]\nid = \"" + std::to_string(i) + "\"\n" + rule.more;
    for (const auto& [key, list] : rule.lists) text += list_text(key, list);
    for (const auto& [key, list] : rule.except) text += list_text("except." + key, list);
  }
  return text;
}

std::vector<Call> some_calls() {
  std::vector<Call> calls;
  for (const char* path : {"/w/a", "/w/a/b", "/w/a/b/x", "/w/.env", "/w/x", "/home/dev/l/x", "/real/x",
                           "/home/dev/y", "/w/linked/x", "/etc/passwd"}) {
    calls.push_back(policy_tests::read(path));
    calls.push_back(
        policy_tests::call("write_file", base::json::Value{{"path", path}, {"content", "x"}}.dump()));
    calls.push_back(
        policy_tests::call("write_file", base::json::Value{{"path", path}, {"content", "z"}}.dump()));
    calls.push_back(run("rm -r " + std::string(path)));
  }
  for (const char* line : {"git log",
                           "git log -5",
                           "git push",
                           "git -C a log",
                           "cat a/x",
                           "cat ../x",
                           "cat a/../x",
                           "bash -c 'git log'",
                           "bash -c 'cat a/x'",
                           "sudo git log",
                           "cp a b",
                           "cp -r a /w/z",
                           "grep -r x .",
                           "make",
                           "cd a && make",
                           "frob a x",
                           "eval $X",
                           "cd /tmp && git status",
                           "echo hi > out",
                           "curl https://a.example.com/v/1",
                           "curl http://10.0.0.1/",
                           "curl https://10.1.2.3/",
                           "curl 'https://[::ffff:10.0.0.1]/'",
                           "curl $URL"})
    calls.push_back(run(line));
  return calls;
}

}  // namespace

TEST_CASE("what is said to narrow lets no call of any kind pass that did not") {
  Random random(7);
  const std::vector<Call> calls = some_calls();
  const DescribedFiles files(
      std::map<std::string, std::string>{{"/home/dev/l", "/real"}, {"/w/linked", "/real"}});
  std::size_t said = 0;
  for (int round = 0; round < 5000; ++round) {
    const DrawnPolicy before = drawn_policy(random);
    DrawnPolicy after = before;
    for (std::size_t i = 0; i < 1 + random() % 2; ++i) change(after, random);
    const std::vector<Source> was{{Layer::user, "p", text_of(before), true}};
    const std::vector<Source> is{{Layer::user, "p", text_of(after), true}};
    const auto old = Policy::load(was, anchors.workspace, anchors.home);
    const auto now = Policy::load(is, anchors.workspace, anchors.home);
    if (!old || !now || !only_narrows(old->sources(), now->sources())) continue;
    ++said;
    for (const Call& call : calls) {
      const Decision then = old->judge(call, policy_tests::scene(files));
      const Decision later = now->judge(call, policy_tests::scene(files));
      if (later.tier <= then.tier) continue;
      INFO(was[0].bytes << "\n---\n" << is[0].bytes << "\n" << call.arguments.dump());
      REQUIRE(later.tier <= then.tier);
    }
  }
  CHECK(said > 200);
}
