// The index against the walk over all rules: the same decision, for the same reasons.

#include "policy/rule/index.hpp"

#include <random>

#include "policy/decide.hpp"
#include "policy/describe/describe.hpp"
#include "policy/load/load.hpp"
#include "tests/policy/scenes.hpp"

using namespace policy;
using namespace policy_tests;

namespace {

base::Result<CompiledRules> compiled(const std::string& text) {
  return compile_sources({{Layer::mission, "test.toml", "version = 1\n" + text, true}}, {"/w", "/home/dev"});
}

bool loads(const std::string& text) { return compiled(text).has_value(); }

// Small alphabets, so that rules and calls meet.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string policy_text() {
    std::string text = one({"default = \"ask\"\n", ""});
    const int rules = number(1, 24);
    for (int i = 0; i < rules; ++i)
      if (const std::string made = rule(i); loads(made)) text += made;  // not every pattern means something
    return text;
  }

  Call call() {
    switch (number(0, 5)) {
      case 0: return argument("read_file", "path", path());
      case 1: return argument("list_directory", "path", path());
      case 2: {
        Call made = argument("write_file", "path", path());
        made.arguments["content"] = one({"", "AKIAIOSFODNN7EXAMPLE", "text"});
        return made;
      }
      case 3: return argument("fetch", "url", url(), "fetch");
      case 4: return argument("do", "what", one({path(), line(), url()}), "other");
      default: return argument("run_command", "command", line(), "workshop");
    }
  }

  std::vector<Effect> effects() {
    std::vector<Effect> made;
    for (int count = number(1, 4); count > 0; --count) made.push_back(effect());
    return made;
  }

  std::map<std::string, std::string> links() {
    std::map<std::string, std::string> made;
    for (int count = number(0, 3); count > 0; --count)
      made[one({"/w", "/w/a", "/w/b", "/home/dev", "/home/dev/a", "/c", "/c/.env"})] =
          one({"/c", "/w/b", "/d", "/home/dev/a", "/", "../b"});
    return made;
  }

 private:
  int number(int from, int to) { return std::uniform_int_distribution(from, to)(random_); }
  bool chance(int percent) { return number(1, 100) <= percent; }
  std::string one(const std::vector<std::string>& of) {
    return of[static_cast<std::size_t>(number(0, static_cast<int>(of.size()) - 1))];
  }

  std::string path() {
    std::string text = one({"/w", "/w", "", "/home/dev", "/c", "~", "/"});
    for (int count = number(0, 3); count > 0; --count)
      text += (text.empty() || text.ends_with('/') ? "" : "/") +
              one({"a", "b", "c", ".env", "key.pem", "..", "src"});
    return text.empty() ? "a" : text;
  }

  std::string path_pattern() {
    if (chance(5)) return "re:" + one({"[.]env", "/a/.*", ".*"});
    std::string text = one({"/w", "", "~", "**", "/c", "/home", "**", "/"});
    for (int count = number(text.empty() ? 1 : 0, 3); count > 0; --count)
      text += (text.empty() || text.ends_with('/') ? "" : "/") +
              one({"a", "b", "*", "**", ".env", "*.pem", "?", "src", ".*"});
    return text;
  }

  std::string word() {
    return one({"git",   "status", "ls",  "/usr/bin/git", "cat",     "a", "--x", "-C", "push",
                "rm",    "$x",     "*",   "sudo",         "timeout", "5", "sh",  "-c", "'git push'",
                "./git", "/c/ls",  "> b", "env",          "X=1"});
  }

  std::string line() {
    std::string text;
    for (int count = number(1, 7); count > 0; --count)
      text += word() + (chance(15) ? one({"; ", " | ", " && "}) : " ");
    if (chance(5)) text += "\"";
    return text;
  }

  std::string command_pattern() {
    std::string text = one({"git", "ls", "g*", "{git,ls}", "cat", "sudo", "sh", "rm", "/usr/bin/git", "*"});
    for (int count = number(0, 2); count > 0; --count) text += ' ' + one({"push", "status", "*", "a", "-C"});
    return text + one({"", "", " $"});
  }

  std::string host() { return one({"a.com", "b.a.com", "x.b.a.com", "localhost", "10.0.0.1", "[fd00::1]"}); }

  std::string url() {
    return one({"https://", "http://", "https://u@", "ftp://", "https:\\\\", "http:///"}) + host() +
           one({"", ":8080", "\\@a.com"}) + one({"", "/a", "/a/../b", "/%61"});
  }

  std::string destination_pattern() {
    if (chance(5)) return "re:" + one({".*a[.]com.*", "GET .*"});
    return one({"", "", "https://", "GET "}) +
           one({host(), host(), "*.a.com", "b*.a.com", "*.com", "@any", "@private", "10.0.0.0/8"}) +
           one({"", "", "/a/**"});
  }

  std::string list(const std::string& key, std::string (Generator::*pattern)()) {
    std::string text = key + " = [";
    for (int count = number(1, 3); count > 0; --count) text += "'''" + (this->*pattern)() + "''', ";
    return text + "]\n";
  }

  std::string rule(int place) {
    std::string text = "[[" + one({"allow", "ask", "deny"}) + "]]\nid = \"r" + std::to_string(place) + "\"\n";
    if (chance(20)) text += "server = \"" + one({"files", "workshop", "*"}) + "\"\n";
    if (chance(10)) text += "tool = \"" + one({"read_file", "run_command", "*"}) + "\"\n";
    bool effects = false;
    for (const char* key : {"read", "write", "delete"}) {
      if (!chance(25)) continue;
      text += list(key, &Generator::path_pattern);
      effects = true;
    }
    if (chance(30)) text += list("run", &Generator::command_pattern);
    if (chance(20)) text += list("connect", &Generator::destination_pattern);
    if (chance(8)) text += "content = [\"@secrets\"]\n";
    if (chance(5)) text += "elevated = true\n";
    if (chance(5)) text += list("cwd", &Generator::path_pattern);
    if (effects && chance(25)) text += "except = { read = [\"" + one({"/w/a/**", "**/.env"}) + "\"] }\n";
    return text;
  }

  Call argument(const std::string& tool, const char* key, const std::string& value,
                const std::string& server = "files") {
    return policy_tests::call(tool, base::json::Value{{key, value}}.dump(), server);
  }

  // What no call need have, but describe() might come to say.
  Effect effect() {
    Effect made;
    made.kind = static_cast<EffectKind>(number(0, static_cast<int>(effect_kinds) - 1));
    made.opaque = chance(20);
    made.guessed = chance(20);
    made.bare_word = chance(10);
    made.reach.recursive = chance(30);
    made.reach.settled = chance(50);
    if (chance(30)) made.content = one({"AKIAIOSFODNN7EXAMPLE", "x"});
    for (int count = chance(30) ? number(1, 2) : 0; count > 0; --count) {
      const std::string name = one({"*", "a", "?", "*.pem", ".env", ".*"});
      made.reach.names.push_back({chance(20) ? Glob::literally(name) : Glob(name), chance(50)});
    }
    made.path.lexical =
        one({"/", "/w", "/w/a", "/w/a/.env", "/home/dev/a", "/c", "/c/a/b", "/w/src/key.pem", "/W/A/.ENV"});
    made.path.folds = chance(20);
    made.path.real = chance(60) ? made.path.lexical : one({"/c", "/d/a", "/w/b", "/", "/c/.env"});
    for (int count = number(1, 5); count > 0; --count) {
      if (chance(20)) made.command.unknown.push_back(made.command.words.size());
      made.command.words.push_back(word());
    }
    made.command.directory = one({"/w", "/c", "/w/a"});
    made.command.elevated = chance(20);
    made.command.elsewhere = chance(10);
    if (chance(20)) made.command.line = "a line";
    if (chance(20)) made.command.wrapped_in.push_back({{word(), word()}, chance(50)});
    made.destination = url();
    if (chance(20)) made.request.headers = {"Host: " + host()};
    return made;
  }

  std::mt19937 random_;
};

void compare(const CompiledRules& rules, const Call& call, const Links& links,
             const std::vector<Effect>& effects) {
  CompiledRules walked = rules;
  walked.index = nullptr;
  std::vector<Hit> found;
  std::vector<Hit> all;
  const auto decided = [&](const CompiledRules& by, std::vector<Hit>* hits) {
    Roots roots(links, by.anchors);
    return decide(by, call, roots, effects, History::empty(), hits);
  };
  CHECK(decided(rules, nullptr) == decided(walked, nullptr));
  decided(rules, &found);
  decided(walked, &all);
  REQUIRE(found.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(found[i].effect == all[i].effect);
    CHECK(found[i].rule - rules.rules.data() == all[i].rule - walked.rules.data());
    CHECK(found[i].match == all[i].match);
  }
}

}  // namespace

TEST_CASE("rules found by the index decide as all rules do") {
  for (unsigned seed = 0; seed < 600; ++seed) {
    Generator generate(seed);
    const std::string text = generate.policy_text();
    INFO(seed << '\n' << text);
    const auto rules = compiled(text);
    REQUIRE(rules.has_value());
    const DescribedFiles files(generate.links(),
                               seed % 4 == 0 ? std::vector<std::string>{"/w"} : std::vector<std::string>());
    const Scene around = scene(files);
    for (int i = 0; i < 8; ++i) {
      const Call call = generate.call();
      INFO(call.tool << ' ' << call.arguments.dump());
      compare(*rules, call, files, describe(call, around, rules->declarations, *rules->catalogue));
      compare(*rules, call, files, generate.effects());
    }
  }
}

TEST_CASE("the index leaves out rules for other paths, commands and hosts") {
  std::string text;
  for (int i = 0; i < 100; ++i) {
    const std::string number = std::to_string(i);
    text += "[[allow]]\nid=\"a" + number + "\"\nread=[\"part" + number + "/**\"]\nrun=[\"tool" + number +
            " x\"]\nconnect=[\"h" + number + ".example.com\"]\n[[deny]]\nid=\"d" + number +
            "\"\npath=[\"**/secret" + number + "/*\"]\nrun=[\"bad" + number + "\"]\n";
  }
  const auto rules = compiled(text);
  REQUIRE(rules.has_value());
  const DescribedFiles files;
  Roots roots(files, rules->anchors);
  RuleFinder finder(*rules, roots);
  Effect read;
  read.kind = EffectKind::read;
  read.path = {"", "/w/part7/secret8/x", "/w/part7/secret8/x"};
  Effect run;
  run.kind = EffectKind::run;
  run.command.words = {"tool3", "x"};
  Effect connect;
  connect.kind = EffectKind::connect;
  connect.destination = "https://h5.example.com/";
  const auto found = [&](const Effect& effect) {
    std::vector<std::string> ids;
    finder.find(make_subject(effect)).each([&](std::size_t place) { ids.push_back(rules->rules[place].id); });
    return ids;
  };
  CHECK(found(read) == std::vector<std::string>{"a7", "d8"});
  CHECK(found(run) == std::vector<std::string>{"a3"});
  CHECK(found(connect) == std::vector<std::string>{"a5"});
}
