#include "policy/decide.hpp"

#include <algorithm>
#include <random>

#include "policy/load/built_in.hpp"
#include "tests/policy/verdicts.hpp"

using namespace policy;
using namespace policy_tests;

namespace {

// Files with two names each.
class Twins final : public Links {
 public:
  std::optional<std::string> target(const std::string&) const override { return std::nullopt; }
  Standing standing(const std::string&) const override { return {Kind::file, 2}; }
  std::optional<std::vector<Entry>> entries(const std::string&, std::size_t) const override {
    return std::nullopt;
  }
  std::optional<std::string> text(const std::string&, std::size_t) const override { return std::nullopt; }
  bool folds_case(const std::string&) const override { return false; }
};

}  // namespace

TEST_CASE("a policy that cannot be read is told as that, not as a rule of somebody") {
  const Policy loaded =
      Policy::load({unreadable_source("/p.toml:3:1: unknown \\ key `\"x\"`")}, "/w", "/home/dev").value();
  const DescribedFiles files;
  const Decision decision =
      loaded.judge(policy_tests::call("read_file", R"({"path":"a"})"), policy_tests::scene(files));
  CHECK(decision.tier == Tier::deny);
  CHECK(explain_to_agent(decision) ==
        "`use files/read_file` is denied: the policy cannot be read: /p.toml:3:1: unknown \\ key `\"x\"`; it "
        "would "
        "take mending that file, which is for the operator to do");
}

TEST_CASE("a decision without effects is a denial") {
  CHECK(Decision{}.tier == Tier::deny);
  const DescribedFiles files;
  const CompiledRules rules;
  Roots roots(files, rules.anchors);
  CHECK(decide(rules, Call{}, roots, {}).tier == Tier::deny);
  CHECK(deciding(Decision{}) == nullptr);
}

TEST_CASE("what no rule covers gets the default") {
  CHECK(tier("", read("a")) == Tier::deny);
  CHECK(tier(ask, read("a")) == Tier::ask);
  CHECK(tier(ask + allow_w, read("a")) == Tier::allow);
  CHECK(tier("default = { read = \"ask\", other = \"deny\" }\n", read("a")) == Tier::ask);
}

TEST_CASE("a denial names its rule, place, reason and remedy") {
  const Decision decision = judged(ask + allow_w + deny_env, read("x/.env"));
  const Reason* reason = deciding(decision);
  REQUIRE(reason != nullptr);
  CHECK(decision.tier == Tier::deny);
  CHECK(reason->rule == "env");
  CHECK(reason->place == "test.toml:8");
  CHECK(reason->why == "secrets");
  CHECK(reason->severity == Severity::high);
  CHECK_FALSE(reason->remedy.empty());
  const std::string words = explain_to_agent(decision);
  CHECK(words.find("env") != std::string::npos);
  CHECK(words.find("secrets") != std::string::npos);
  CHECK(words.size() < 1500);
}

TEST_CASE("deny and ask match either result of a path and allow needs both") {
  CHECK(tier(ask + allow_w + deny_env, read("l"), {{"/w/l", "/w/.env"}}) == Tier::deny);
  CHECK(tier(ask + allow_w, read("l"), {{"/w/l", "/etc/passwd"}}) == Tier::ask);
  CHECK(tier(ask + allow_w, read("/etc/l"), {{"/etc/l", "/w/x"}}) == Tier::ask);
}

TEST_CASE("a denied folder is denied under its real name, too") {
  const std::string deny =
      "[[deny]]\nid=\"d\"\nread=[\"/home/dev/keys/**\"]\n[[allow]]\nid=\"a\"\nread=[\"/**\"]\n";
  CHECK(tier(deny, read("/data/keys/x"), {{"/home/dev/keys", "/data/keys"}}) == Tier::deny);
  CHECK(tier(deny, read("/data/other/x"), {{"/home/dev/keys", "/data/keys"}}) == Tier::allow);
}

TEST_CASE("an allow follows a link of the workspace itself and none below it") {
  CHECK(tier(allow_w, read("/w/a"), {{"/w", "/data/w"}}) == Tier::allow);
  CHECK(tier("[[allow]]\nid=\"s\"\nread=[\"src/**\"]\n", read("/w/src/passwd"), {{"/w/src", "/etc"}}) ==
        Tier::deny);
}

TEST_CASE("a recursive read asks where something below may be denied") {
  const Call tree = call("directory_tree", R"({"path":"src"})");
  CHECK(tier(allow_w, tree) == Tier::allow);
  CHECK(tier(allow_w + deny_env, tree) == Tier::ask);
  CHECK(tier(deny_env, tree) == Tier::deny);
  CHECK(tier(allow_w + "[[deny]]\nid=\"d\"\nread=[\"/w/other/**\"]\n", tree) == Tier::allow);
  CHECK(tier("[[allow]]\nid=\"one\"\nread=[\"src\"]\n", tree) == Tier::deny);
}

TEST_CASE("an opaque effect needs an opaque allow that names server and tool") {
  const std::string allow_run = "[[allow]]\nid=\"r\"\nrun=[\"ls\"]\n";
  CHECK(tier(allow_run + allow_w, run("ls")) == Tier::allow);
  CHECK(tier(ask + allow_run, run("ls $x")) == Tier::ask);
  const std::string opaque = "[[allow]]\nid=\"o\"\nopaque=true\n";
  CHECK(tier(ask + opaque + "server=\"workshop\"\ntool=\"run_command\"\n", run("ls $x")) == Tier::allow);
  CHECK(tier(ask + opaque + "server=\"workshop\"\ntool=\"run_command\"\n[[deny]]\nid=\"d\"\nrun=[\"rm\"]\n",
             run("ls; rm x")) == Tier::deny);
}

TEST_CASE("guesses deny and never allow") {
  const Call unknown = call("do", R"({"path":"/w/.env"})", "other");
  CHECK(tier(ask + allow_w, unknown) == Tier::ask);
  CHECK(tier(ask + allow_w + deny_env, unknown) == Tier::deny);
  const std::string named = "[[allow]]\nid=\"t\"\nserver=\"other\"\ntool=\"do\"\n";
  CHECK(tier(named, unknown) == Tier::allow);
  CHECK(tier(named + deny_env, unknown) == Tier::deny);
}

TEST_CASE("a use beside other effects meets deny and ask only") {
  CHECK(tier(allow_w, read("a")) == Tier::allow);
  CHECK(tier(allow_w + "[[ask]]\nid=\"t\"\ntool=\"read_file\"\n", read("a")) == Tier::ask);
  CHECK(tier(ask, call("list_allowed_directories", "{}")) == Tier::ask);
  CHECK(tier("[[allow]]\nid=\"t\"\ntool=\"list_allowed_directories\"\n",
             call("list_allowed_directories", "{}")) == Tier::allow);
}

TEST_CASE("a write to a file with several names asks although it is allowed") {
  const Twins twins;
  const Policy loaded = policy_tests::load(allow_w);
  CHECK(loaded.judge(call("write_file", R"({"path":"a","content":""})"), policy_tests::scene(twins)).tier ==
        Tier::ask);
  CHECK(loaded.judge(read("a"), policy_tests::scene(twins)).tier == Tier::allow);
}

TEST_CASE("NUL is denied whatever the rules say") {
  const std::string all = "[[allow]]\nid=\"all\"\nserver=\"files\"\nopaque=true\ntool=\"read_file\"\n";
  CHECK(tier(all, read("a")) == Tier::allow);
  CHECK(tier(all, read(std::string("a\0b", 3))) == Tier::deny);
}

TEST_CASE("an exception narrows its rule") {
  const std::string deny =
      allow_w + "[[deny]]\nid=\"d\"\nread=[\"/w/x/**\"]\nexcept={ read=[\"/w/x/ok\"] }\n";
  CHECK(tier(deny, read("x/a")) == Tier::deny);
  CHECK(tier(deny, read("x/ok")) == Tier::allow);
  CHECK(tier(deny, read("x/ok"), {{"/w/x/ok", "/w/x/a"}}) == Tier::deny);
}

TEST_CASE("content is matched with the write") {
  const std::string text = allow_w + "[[deny]]\nid=\"t\"\nwrite=[\"**\"]\ncontent=[\"TOK_[A-Z]{3}\"]\n";
  CHECK(tier(text, call("write_file", R"({"path":"a","content":"x TOK_ABC"})")) == Tier::deny);
  CHECK(tier(text, call("write_file", R"({"path":"a","content":"x"})")) == Tier::allow);
}

TEST_CASE("content that is encoded counts against the write, and lets none pass") {
  const auto write = [](const std::string& rules, const std::string& content) {
    return tier(rules, call("write_file", base::json::Value{{"path", "a"}, {"content", content}}.dump()));
  };
  const std::string encoded = "cGFzczogVE9LX0FCQyBhbmQgbm8gbW9yZQ==";  // `pass: TOK_ABC and no more`
  const std::string none =
      allow_w + "[[deny]]\nid=\"t\"\nwrite=[\"**\"]\ncontent=[\"ZZZ\", \"TOK_[A-Z]{3}\"]\n";
  CHECK(write(none, encoded) == Tier::deny);
  CHECK(write(none, "TOK_ and ABC") == Tier::allow);
  const std::string only =
      ask +
      "[[allow]]\nid=\"t\"\nwrite=[\"**\"]\ncontent=[\"TOK_[A-Z]{3}\"]\nexcept.content=[\"KEY_[A-Z]{3}\"]\n";
  CHECK(write(only, "TOK_ABC") == Tier::allow);
  CHECK(write(only, encoded) == Tier::ask);
  CHECK(write(only, "TOK_ABC cGFzczogS0VZX0FCQyBhbmQgbm8gbW9yZQ==") == Tier::ask);
}

TEST_CASE("content is matched by detectors beside expressions") {
  const std::string text =
      allow_w +
      "[[deny]]\nid=\"t\"\nwrite=[\"**\"]\ncontent=[\"TOK_[A-Z]{3}\", \"@secrets\", \"[@]payment\"]\n";
  const auto write = [&](const std::string& content) {
    return tier(text, call("write_file", base::json::Value{{"path", "a"}, {"content", content}}.dump()));
  };
  CHECK(write("x TOK_ABC") == Tier::deny);
  CHECK(write("db: postgres://app:s8f7Kq2mZp@db/app") == Tier::deny);
  CHECK(write("echo cG9zdGdyZXM6Ly9hcHA6czhmN0txMm1acEBkYi9hcHA=") == Tier::deny);
  CHECK(write("db: postgres://app:${PASSWORD}@db/app") == Tier::allow);
  CHECK(write("card 4111 1111 1111 1111") == Tier::allow);
  CHECK(write("all of @payment") == Tier::deny);
}

namespace {

// Rules and calls by chance, from small sets so that they meet often.
class Chance {
 public:
  explicit Chance(unsigned seed) : generator_(seed) {}

  std::string rule(const std::string& kind) {
    static int number = 0;
    std::string text = "[[" + kind + "]]\nid=\"r" + std::to_string(++number) + "\"\n";
    const std::string path = pick({"/w/**", "/w/src/**", "**/.env", "/w/src/a", "/etc/", "/w/*.c"});
    switch (below(7)) {
      case 0: return text + "read=[\"" + path + "\"]\n";
      case 1: return text + "write=[\"" + path + "\"]\n";
      case 2: return text + "path=[\"" + path + "\"]\n";
      case 3: return text + "run=[\"" + pick({"ls", "git status", "git push", "rm", "cat"}) + "\"]\n";
      case 4: return text + "tool=\"" + pick({"*_file", "run_command", "directory_tree", "do"}) + "\"\n";
      case 5: return text + "path=[\"" + path + "\"]\nexcept={ path=[\"/w/src/a\"] }\n";
      default:
        return text + "server=\"workshop\"\ntool=\"run_command\"\n" +
               (kind == "allow" ? "opaque=true\n" : "");
    }
  }

  Call any_call() {
    const std::string path = pick({"a.c", "src/a", "src/.env", "/etc/passwd", "l/x", "../w/src", "~/x"});
    switch (below(6)) {
      case 0: return call("read_file", base::json::Value{{"path", path}}.dump());
      case 1: return call("write_file", base::json::Value{{"path", path}, {"content", "x"}}.dump());
      case 2: return call("move_file", base::json::Value{{"source", path}, {"destination", "src/a"}}.dump());
      case 3: return call("directory_tree", base::json::Value{{"path", path}}.dump());
      case 4: return call("do", base::json::Value{{"path", path}}.dump(), "other");
      default:
        return run(
            pick({"ls", "git status", "git -C x push", "ls; rm x", "cat src/.env", "rm -r src", "cat $x"}));
    }
  }

  std::string pick(std::initializer_list<const char*> list) { return *(list.begin() + below(list.size())); }
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(generator_);
  }
  std::mt19937& generator() { return generator_; }

 private:
  std::mt19937 generator_;
};

std::string joined(const std::vector<std::string>& rules, const std::string& head) {
  std::string text = head;
  for (const std::string& rule : rules) text += rule;
  return text;
}

}  // namespace

TEST_CASE("the baseline keeps secrets of threads, too") {
  const DescribedFiles files;
  auto loaded = Policy::load({}, "/w", "/home/dev");
  REQUIRE(loaded.has_value());
  for (const char* path : {"/proc/1/environ", "/proc/1/task/2/environ", "/proc/1/task/2/mem"})
    CHECK(loaded->judge(read(path), policy_tests::scene(files)).tier == Tier::deny);
}

TEST_CASE("laws hold for policies and calls by chance") {
  Chance chance(20251129);
  const std::map<std::string, std::string> links{{"/w/l", "/etc"}};
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> rules;
    const std::size_t count = chance.below(6);
    for (std::size_t i = 0; i < count; ++i)
      rules.push_back(chance.rule(chance.pick({"allow", "allow", "ask", "deny"})));
    const std::string head = chance.pick({"", "default=\"ask\"\n"});
    const std::string more_deny = joined(rules, head) + chance.rule("deny");
    const std::string more_allow = joined(rules, head) + chance.rule("allow");
    const std::string plain = joined(rules, head);
    std::shuffle(rules.begin(), rules.end(), chance.generator());
    const std::string shuffled = joined(rules, head);
    for (int i = 0; i < 5; ++i) {
      const Call described = chance.any_call();
      const Tier base_tier = tier(plain, described, links);
      INFO(plain << "\n" << more_deny << "\n" << described.tool << " " << described.arguments.dump());
      CHECK(tier(more_deny, described, links) <= base_tier);
      CHECK(tier(more_allow, described, links) >= base_tier);
      CHECK(tier(shuffled, described, links) == base_tier);
    }
  }
}
