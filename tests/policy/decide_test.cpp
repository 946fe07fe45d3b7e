#include "policy/decide.hpp"

#include <algorithm>
#include <chrono>
#include <random>

#include "tests/policy/scenes.hpp"

using namespace policy;
using policy_tests::call;

namespace {

Decision judged(const std::string& policy_text, const Call& described,
                std::map<std::string, std::string> links = {}) {
  const DescribedFiles files(std::move(links));
  return policy_tests::load(policy_text).judge(described, policy_tests::scene(files));
}

Tier tier(const std::string& policy_text, const Call& described,
          std::map<std::string, std::string> links = {}) {
  return judged(policy_text, described, std::move(links)).tier;
}

Call read(const std::string& path) { return call("read_file", base::json::Value{{"path", path}}.dump()); }
Call run(const std::string& line) {
  return call("run_command", base::json::Value{{"command", line}}.dump(), "workshop");
}

const std::string allow_w = "[[allow]]\nid=\"w\"\nread=[\"/w/**\"]\nwrite=[\"/w/**\"]\ndelete=[\"/w/**\"]\n";
const std::string deny_env = "[[deny]]\nid=\"env\"\npath=[\"**/.env\"]\nwhy=\"secrets\"\nseverity=\"high\"\n";
const std::string ask = "default = \"ask\"\n";

// Files with two names each.
class Twins final : public Links {
 public:
  std::optional<std::string> target(const std::string&) const override { return std::nullopt; }
  bool is_directory(const std::string&) const override { return false; }
  unsigned hard_links(const std::string&) const override { return 2; }
};

}  // namespace

TEST_CASE("a decision without effects is a denial") {
  CHECK(Decision{}.tier == Tier::deny);
  const DescribedFiles files;
  CHECK(decide(CompiledRules{}, Call{}, files, {}).tier == Tier::deny);
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

TEST_CASE("a tool is hidden only by a deny without conditions on its call") {
  const Policy loaded = policy_tests::load(
      "[[deny]]\nid=\"d\"\ntool=\"move_*\"\n[[deny]]\nid=\"e\"\ntool=\"read_file\"\nread=[\"/x\"]\n");
  CHECK(loaded.hides(call("move_file", "{}")));
  CHECK_FALSE(loaded.hides(call("read_file", "{}")));
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

TEST_CASE("no spelling of a file address passes a deny of its path") {
  // What neither the deny nor a refusal meets is asked here.
  const std::string rules = ask + deny_env + "[[allow]]\nid=\"all\"\nread=[\"**\"]\n";
  for (const std::string uri : {"file:///w/x#/../.env",
                                "file:///w/x?/../.env",
                                "file:///w/x%23/../.env",
                                "file:///w/x?/%2e%2e/.env#y",
                                "file:///w/x#/../.env?y",
                                "file:///w/.env%3Fx",
                                "FILE:///w/.env",
                                "FiLe:/w/.env",
                                "file:.env",
                                "file://.env",
                                "file://host/w/.env",
                                "file:\\\\\\w\\.env",
                                "file:///w/x\\..\\.env",
                                " file:///w/.env",
                                "\tfile:///w/.env",
                                "fi\nle:///w/.env",
                                "file:///w/.e\tnv",
                                "file:///w/.env ",
                                "file:///w/.env\xc2\xa0",
                                "\xef\xbb\xbf"
                                "file:///w/.env",
                                "file:///w/.env\x01",
                                "url:file:///w/.env",
                                "<file:///w/.env>",
                                "local_file:///w/.env",
                                "file%3A///w/.env",
                                "/w/.env",
                                "/w/x:/../.env",
                                "/w/.env?x",
                                "//h/w/.env#x"}) {
    Call resource;
    resource.server = "files";
    resource.method = "resources/read";
    resource.arguments = {{"uri", uri}};
    INFO(uri);
    CHECK(tier(rules, resource) == Tier::deny);
  }
  for (const std::string path :
       {"file:///w/x#/../.env", " file:///w/.env", "fi\nle:///w/.env", "\tFILE:///w/.env", "file:///w/.env\n",
        "file://h/w/.env", "file:///w/x?/../.env"}) {
    INFO(path);
    CHECK(tier(rules, read(path)) == Tier::deny);
    Call other = call("do", base::json::Value{{"uri", path}}.dump(), "other");
    CHECK(tier(rules + "[[allow]]\nid=\"n\"\nserver=\"other\"\ntool=\"do\"\n", other) == Tier::deny);
  }
  Call good;
  good.server = "files";
  good.method = "resources/read";
  for (const char* uri : {"file:///w/a%20b", "file:///w/x?y#z", "file://localhost/w/x"}) {
    good.arguments = {{"uri", uri}};
    INFO(uri);
    CHECK(tier(deny_env + allow_w, good) == Tier::allow);
  }
}

TEST_CASE("a program reads its working directory and the files that options name") {
  const std::string rules =
      ask + deny_env +
      "[[allow]]\nid=\"r\"\nread=[\"**\"]\nrun=[\"grep\", \"find\", \"ls\", \"node\", \"git\"]\n";
  for (const char* line : {"grep -r KEY",
                           "grep -re KEY",
                           "grep -e KEY -r",
                           "grep -r -m 1 KEY",
                           "grep -rA 2 KEY",
                           "grep -r --incl '*' KEY",
                           "grep --rec KEY",
                           "grep -d recurse KEY",
                           "egrep -R KEY",
                           "rgrep KEY",
                           "find",
                           "find -type f",
                           "ls -R",
                           "grep --file=/etc/shadow y",
                           "grep -rf/etc/shadow y src",
                           "grep --fil /etc/shadow y",
                           "grep -f /etc/shadow y",
                           "grep --exclude-from=/x y f",
                           "node --env-file=x a.js",
                           "git commit -F /etc/shadow"}) {
    INFO(line);
    CHECK(tier(rules, run(line)) == Tier::ask);
  }
  for (const char* line :
       {"grep -rf.env y src", "grep -nf/w/.env y", "grep --file=.env y", "grep -A 2 KEY .env"}) {
    INFO(line);
    CHECK(tier(rules, run(line)) == Tier::deny);
  }
  const std::string src = "[[allow]]\nid=\"r\"\nread=[\"src/**\"]\nrun=[\"grep\", \"find\"]\n";
  for (const char* line : {"grep -rn KEY src", "grep -n KEY src/a", "grep -rA2 KEY src", "find src"}) {
    INFO(line);
    CHECK(tier(src, run(line)) == Tier::allow);
  }
  CHECK(tier("[[allow]]\nid=\"r\"\nread=[\"src/**\"]\nrun=[\"grep\"]\n", run("grep --exclude=x KEY src/a")) ==
        Tier::allow);
  // The input of `uniq -f 1 FILE` is no output.
  CHECK(tier("[[allow]]\nid=\"w\"\nread=[\"**\"]\nwrite=[\"**\"]\nrun=[\"uniq\"]\n[[deny]]\nid=\"d\"\nread=["
             "\"**/.env\"]\n",
             run("uniq -f 1 .env")) == Tier::deny);
}

TEST_CASE("a program that follows links on its way down is not understood") {
  const std::string all = "[[allow]]\nid=\"a\"\nread=[\"/**\"]\nwrite=[\"/**\"]\nrun=[\"*\"]\n";
  for (const char* line : {"grep -R KEY src",      "grep -nR KEY src",
                           "egrep -RI KEY src",    "fgrep -R KEY src",
                           "rgrep -R KEY src",     "grep --dereference-recursive KEY src",
                           "grep --deref KEY src", "ls -RL src",
                           "ls -R -L src",         "ls -R --dereference src",
                           "ls -R --deref src",    "find -L src",
                           "find -H src",          "find src -follow",
                           "find -P -L src",       "cp -rL src to",
                           "cp -RH src to",        "cp -r --dereference src to",
                           "cp -aL src to",        "timeout 5 grep -R KEY src"}) {
    INFO(line);
    CHECK(tier(ask + all, run(line)) == Tier::ask);
  }
  for (const char* line : {"grep -r KEY src", "ls -R src", "find src", "find -P src"}) {
    INFO(line);
    CHECK(tier(ask + all, run(line)) == Tier::allow);
  }
}

TEST_CASE("a program that connects anywhere reads no file by its address") {
  const std::string net = "[[allow]]\nid=\"n\"\nrun=[\"curl\"]\nconnect=[\"@any\"]\n";
  const std::string deny_ssh = "[[deny]]\nid=\"s\"\npath=[\"~/.ssh/**\"]\n";
  const std::string read_all = "[[allow]]\nid=\"r\"\nread=[\"/**\"]\n";
  for (const char* address : {"file://localhost/home/dev/.ssh/config", "file:///home/dev/.ssh/config",
                              "FILE:/home/dev/.ssh/config", "file:///home/dev/%2essh/config"}) {
    INFO(address);
    CHECK(tier(ask + net + read_all, run(std::string("curl ") + address)) == Tier::ask);
    CHECK(tier(ask + net + deny_ssh, run(std::string("curl ") + address)) == Tier::deny);
    CHECK(tier(ask + net + deny_ssh, call("do", base::json::Value{{"url", address}}.dump(), "other")) ==
          Tier::deny);
  }
  const std::string files = "[[allow]]\nid=\"f\"\nconnect=[\"file://@any\"]\n";
  CHECK(tier(ask + net + files, run("curl file:///etc/hosts")) == Tier::ask);
  CHECK(tier(ask + net + files + read_all, run("curl file:///etc/hosts")) == Tier::allow);
  CHECK(tier(ask + net, run("curl ftp://h/x")) == Tier::ask);
  for (const char* address : {"http://h/x", "https://h/x", "ws://h", "wss://h:1"})
    CHECK(tier(net, run(std::string("curl ") + address)) == Tier::allow);
}

TEST_CASE("a read-only git runs nothing, and reads nothing outside the workspace") {
  const std::string git =
      ask + "[[allow]]\nid=\"g\"\nrun=[\"git {status,log,diff}\", \"git clone\", \"git pull\"]\n";
  const auto git_in = [](const std::string& line, const std::string& directory) {
    return call("run_command", base::json::Value{{"command", line}, {"cwd", directory}}.dump(), "workshop");
  };
  for (const char* line :
       {"git status", "git log -p -1", "git diff HEAD src/a", "git diff main -- a b", "git log -u",
        "git status -u", "git clone https://h/x", "git log --author=fd", "git diff ../w/a"}) {
    INFO(line);
    CHECK(tier(git, run(line)) == Tier::allow);
  }
  for (const char* line :
       {"git diff /dev/null /etc/passwd", "git diff a ../x", "git diff -- /etc/hosts b", "git diff l x",
        "git diff '~/x' y", "git diff --no-index a b", "git clone -u x h:y", "git clone -qu x h:y",
        "git clone --upload-pack x h:y", "git clone --upload=x h:y", "git clone 'ext::sh -c x'",
        "git pull fd::3", "git log --remote=ext::x", "git status --bare", "git diff -x y",
        "git diff --extcmd=x"}) {
    INFO(line);
    CHECK(tier(git, run(line), {{"/w/l", "/etc/passwd"}}) == Tier::ask);
  }
  const std::string any_git = ask + "[[allow]]\nid=\"g\"\nrun=[\"git\"]\n";
  for (const char* line :
       {"git difftool --extcmd=x", "git difftool a", "git -C x status", "git --git-dir=x status",
        "git --work-tree x status", "git bisect run x", "git submodule foreach x"}) {
    INFO(line);
    CHECK(tier(any_git, run(line)) == Tier::ask);
  }
  const std::string named = "[[allow]]\nid=\"c\"\nrun=[\"git status\"]\ncwd=[\"sub/**\"]\n";
  CHECK(tier(git, git_in("git status", "/w")) == Tier::allow);
  CHECK(tier(git, git_in("git status", "sub/..")) == Tier::allow);
  CHECK(tier(git, git_in("git status", "l/.."), {{"/w/l", "/tmp/x"}}) == Tier::ask);
  CHECK(tier(git, git_in("git status", "sub")) == Tier::ask);
  CHECK(tier(git, git_in("timeout 5 git status", "/tmp")) == Tier::ask);
  CHECK(tier(git + named, git_in("git status", "sub")) == Tier::allow);
  CHECK(tier(git + named, git_in("git status", "other")) == Tier::ask);
  const std::string deny_outside = "[[deny]]\nid=\"e\"\nread=[\"/etc/**\"]\n";
  const std::string read_all = "[[allow]]\nid=\"r\"\nread=[\"/**\"]\n";
  CHECK(tier(git + read_all, run("git diff /dev/null /etc/passwd")) == Tier::allow);
  CHECK(tier(git + read_all + deny_outside, run("git diff /dev/null /etc/passwd")) == Tier::deny);
}

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

namespace {

// `part` so often that there are about so many bytes.
std::string repeated(const std::string& part, std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += part;
  return all;
}

// Rules that many forms and paths are held against.
std::string many_rules() {
  std::string text = ask;
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    text += "[[deny]]\nid=\"d" + number + "\"\npath=[\"**/x" + number + "/**/y/**/z\"]\nrun=[\"git x" +
            number + "\"]\n";
  }
  return text;
}

}  // namespace

// Each took minutes while work was repeated for every word or component.
TEST_CASE("no megabyte of arguments takes long to judge") {
  const std::size_t size = 1u << 20;
  const std::string rules = many_rules();
  for (const char* part : {"env -S ", "env ", "env -u a ", "sudo -u ", "find -exec ", "git -a ",
                           "sudo -u git -u a=b ", "a ", "env find git -exec --x=y ", "git x; ", "$(git -c ",
                           "/a ", "\"a b\" ", "xargs --a=env ", "nice -n "}) {
    INFO(part);
    const std::string line = repeated(part, size);
    CHECK(tier(rules, run(line)) <= Tier::ask);
    CHECK(tier(rules, call("do", base::json::Value{{"cmd", line}}.dump(), "other")) <= Tier::ask);
  }
  for (const char* part : {"a/", "x1/y/", "../a/", "a b/"}) {
    INFO(part);
    base::json::Value paths = base::json::Value::array();
    for (std::size_t i = 0; i < size / 4080; ++i) paths.push_back(std::to_string(i) + repeated(part, 4080));
    CHECK(tier(rules, call("read_multiple_files", base::json::Value{{"paths", paths}}.dump())) <= Tier::ask);
    CHECK(tier(rules, call("do", base::json::Value{{"paths", paths}}.dump(), "other")) <= Tier::ask);
  }
}

TEST_CASE("a call that takes more steps than any may is refused, with one effect") {
  std::string line;
  for (int i = 0; i < 200; ++i) line += "git -a ";
  base::json::Value lines = base::json::Value::array();
  for (int i = 0; i < 150; ++i) lines.push_back(base::json::Value::array({"; " + line}));
  std::string rules = "[[allow]]\nid=\"t\"\nserver=\"other\"\ntool=\"do\"\n";
  for (int i = 0; i < 40; ++i)
    rules += "[[deny]]\nid=\"d" + std::to_string(i) + "\"\nrun=[\"git x" + std::to_string(i) + "\"]\n";
  const Decision decision = judged(rules, call("do", base::json::Value{{"cmd", lines}}.dump(), "other"));
  CHECK(decision.tier == Tier::deny);
  REQUIRE(decision.effects.size() == 1);
  CHECK_FALSE(decision.effects.front().refused.empty());
  CHECK(tier(rules, call("do", R"({"cmd":["git -a x"]})", "other")) == Tier::allow);
}
