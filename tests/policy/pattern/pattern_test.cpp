#include "policy/pattern/pattern.hpp"

#include <random>

#include "tests/catch.hpp"

using namespace policy;

namespace {

const Anchors anchors{"/w", "/home/dev"};

PathPattern path(std::string_view text, Stance stance = Stance::permit) {
  return PathPattern::compile(text, anchors, stance).value();
}
bool path_fails(std::string_view text) {
  return PathPattern::compile(text, anchors, Stance::restrict).has_error();
}
CommandPattern command(std::string_view text) { return CommandPattern::compile(text).value(); }
bool runs(std::string_view pattern, const std::vector<std::string>& words) {
  return command(pattern).matches(words);
}
bool argument(std::string_view test, std::string_view json, Stance stance = Stance::permit) {
  return ArgumentCondition::compile("/a", test, stance).value().matches(base::json::Value::parse(json));
}

// A path of few names, so that patterns of few names often meet it.
std::string random_path(std::mt19937& random) {
  static const char* names[] = {"a", "b", "ab", ".env", "w"};
  std::string text;
  for (std::size_t i = 0, count = random() % 5; i < count; ++i)
    text += std::string("/") + names[random() % 5];
  return text.empty() ? "/" : text;
}
std::string random_pattern(std::mt19937& random) {
  static const char* parts[] = {"a", "b", "*", "**", "a*", "?", ".env", "w"};
  std::string text;
  for (std::size_t i = 0, count = 1 + random() % 4; i < count; ++i)
    text += std::string("/") + parts[random() % 8];
  return random() % 4 == 0 ? text + "/" : text;
}

}  // namespace

TEST_CASE("a path pattern without wildcard is that exact path") {
  CHECK(path("/w/a").matches("/w/a"));
  CHECK_FALSE(path("/w/a").matches("/w/a/b"));
  CHECK_FALSE(path("/w/a").matches("/w/ab"));
  CHECK_FALSE(path("/w/a").matches("/w"));
}

TEST_CASE("relative path patterns start at the workspace and ~ at home") {
  CHECK(path("src/a").matches("/w/src/a"));
  CHECK_FALSE(path("src/a").matches("/src/a"));
  CHECK(path("~/.ssh/**").matches("/home/dev/.ssh/id"));
  CHECK(path("~").matches("/home/dev"));
  CHECK(path("./src/../lib").matches("/w/lib"));
  CHECK(path_fails("~root/x"));
}

TEST_CASE("a final slash and a final ** cover the directory itself and all below") {
  for (const char* text : {"/w/x/", "/w/x/**"}) {
    CHECK(path(text).matches("/w/x"));
    CHECK(path(text).matches("/w/x/y/z"));
    CHECK_FALSE(path(text).matches("/w/xy"));
    CHECK_FALSE(path(text).matches("/w"));
  }
}

TEST_CASE("a leading ** stays within the workspace in an allow and is anywhere in a deny") {
  CHECK(path("**/.env").matches("/w/a/.env"));
  CHECK(path("**/.env").matches("/w/.env"));
  CHECK_FALSE(path("**/.env").matches("/other/.env"));
  CHECK_FALSE(path("**").matches("/other"));
  CHECK(path("**/.env", Stance::restrict).matches("/other/.env"));
  CHECK(path("**/.env", Stance::restrict).matches("/.env"));
  CHECK(path("**", Stance::restrict).matches("/"));
}

TEST_CASE("* and ? stay within a component") {
  CHECK(path("/w/*.c").matches("/w/a.c"));
  CHECK_FALSE(path("/w/*.c").matches("/w/a/b.c"));
  CHECK(path("/w/?").matches("/w/é"));
  CHECK_FALSE(path("/w/?").matches("/w/ab"));
  CHECK(path("/w/**/b").matches("/w/b"));
  CHECK(path("/w/**/b").matches("/w/x/y/b"));
  CHECK_FALSE(path("/w/**/b").matches("/w/x/yb"));
}

TEST_CASE("brackets, braces and backslashes in paths are literal") {
  CHECK(path("/w/[ab]").matches("/w/[ab]"));
  CHECK_FALSE(path("/w/[ab]").matches("/w/a"));
  CHECK(path("/w/{a,b}").matches("/w/{a,b}"));
}

TEST_CASE("a workspace whose name holds a wildcard anchors literally") {
  const auto pattern = PathPattern::compile("a", {"/w*", "/h"}, Stance::permit).value();
  CHECK(pattern.matches("/w*/a"));
  CHECK_FALSE(pattern.matches("/wx/a"));
}

TEST_CASE("a regular expression meets whole paths in an allow and any part in a deny") {
  CHECK(path("re:/w/[a-z]+").matches("/w/ab"));
  CHECK_FALSE(path("re:/w/[a-z]+").matches("/w/ab/c"));
  CHECK(path("re:\\.env", Stance::restrict).matches("/x/.env.local"));
  CHECK(path("re:^/w/.*secret", Stance::restrict).matches("/w/\n/\xff/secret"));
}

TEST_CASE("path patterns that mean nothing do not compile") {
  for (const char* text :
       {"", "re:", "re:(", "/a/**b", "***", "/a/*/../b", "file:///etc/passwd", "re:a{1000}{100}"})
    CHECK(path_fails(text));
  CHECK(path_fails("re:((((a{99}){99}){99}){99})"));
  CHECK(path_fails(std::string(5000, 'a')));
}

TEST_CASE(
    "what a pattern may match below a directory is never missed, and what it covers is never overstated") {
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    const PathPattern pattern = path(random_pattern(random), Stance::restrict);
    const std::string directory = random_path(random);
    const std::string below = (directory == "/" ? "" : directory) + random_path(random);
    if (below == directory || below.ends_with('/')) continue;
    INFO(pattern.text() << " " << directory << " " << below);
    if (pattern.matches(below)) CHECK(pattern.may_match_below(directory));
    if (pattern.matches_all_below(directory)) CHECK(pattern.matches(below));
  }
}

TEST_CASE("a deny pattern matches at least what the same allow pattern matches") {
  std::mt19937 random(8);
  for (int round = 0; round < 20000; ++round) {
    const std::string text = random_pattern(random).substr(random() % 2);
    const std::string where = random_path(random);
    INFO(text << " " << where);
    if (path(text).matches(where)) CHECK(path(text, Stance::restrict).matches(where));
  }
}

TEST_CASE("hostile paths do not make matching slow") {
  const PathPattern deep = path("/**/a/**/a/**/a/**/a/**/a/**/a/**/b", Stance::restrict);
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "/a";
  CHECK_FALSE(deep.matches(text));
  CHECK_FALSE(Glob("*a*a*a*a*a*a*a*b").matches(std::string(20000, 'a')));
}

TEST_CASE("a command pattern is the first words of the command") {
  CHECK(runs("git status", {"git", "status"}));
  CHECK(runs("git status", {"git", "status", "-s"}));
  CHECK_FALSE(runs("git status", {"git"}));
  CHECK_FALSE(runs("git status", {"git", "statusx"}));
  CHECK_FALSE(runs("git status", {"git status"}));
  CHECK_FALSE(runs("git", {}));
}

TEST_CASE("a final dollar forbids further words") {
  CHECK(runs("ls $", {"ls"}));
  CHECK(runs("ls$", {"ls"}));
  CHECK_FALSE(runs("ls $", {"ls", "-l"}));
  CHECK(runs("echo '$'", {"echo", "$", "x"}));
}

TEST_CASE("words of a command pattern may be globs, choices and quoted") {
  CHECK(runs("npm run *", {"npm", "run", "build"}));
  CHECK_FALSE(runs("npm run *", {"npm", "run"}));
  CHECK(runs("git {log,diff}", {"git", "diff"}));
  CHECK_FALSE(runs("git {log,diff}", {"git", "push"}));
  CHECK(runs("x{1,2}-{a,b*}", {"x2-bc"}));
  CHECK(runs("find {} x", {"find", "{}", "x"}));
  CHECK(runs("git commit -m 'a *'", {"git", "commit", "-m", "a *"}));
  CHECK_FALSE(runs("git commit -m 'a *'", {"git", "commit", "-m", "a b"}));
}

TEST_CASE("command patterns that never match do not compile") {
  for (const char* text : {"", " ", "$", "a && b", "a | b", "a > b", "a 'b", "{a,{b,c}}"})
    CHECK(CommandPattern::compile(text).has_error());
  CHECK(CommandPattern::compile("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}").has_error());
}

TEST_CASE("an absent argument never matches") {
  CHECK_FALSE(argument("*", "{}"));
  CHECK_FALSE(argument("*", "{\"a\":[]}"));
  CHECK_FALSE(argument("*", "{\"a\":{}}", Stance::restrict));
  CHECK_FALSE(argument("*", "[]"));
}

TEST_CASE("an argument test is a glob, an expression or a comparison") {
  CHECK(argument("dev-*", R"({"a":"dev-1"})"));
  CHECK_FALSE(argument("dev-*", R"({"a":"prod"})"));
  CHECK(argument("re:[a-z]+", R"({"a":"abc"})"));
  CHECK_FALSE(argument("re:[a-z]+", R"({"a":"abc1"})"));
  CHECK(argument("re:[a-z]+", R"({"a":"abc1"})", Stance::restrict));
  CHECK(argument("true", R"({"a":true})"));
  CHECK(argument("5", R"({"a":5.0})"));
  CHECK(argument("<= 100", R"({"a":100})"));
  CHECK_FALSE(argument("<= 100", R"({"a":101})"));
  CHECK_FALSE(argument("<= 9007199254740992", R"({"a":9007199254740993})"));
  CHECK_FALSE(argument("!= 3", R"({"a":3})"));
}

TEST_CASE("a number written as text is compared by denials only") {
  CHECK_FALSE(argument("<= 100", R"({"a":"5"})"));
  CHECK(argument("> 100", R"({"a":"500"})", Stance::restrict));
}

TEST_CASE("a text that a server may take for a number is compared as one by a denial") {
  for (const char* text :
       {"500", " 500", "+500", "\\t500", "500\\n", "\\r 5e2 ", "1e5000", "+1e+5000", "500.0"}) {
    INFO(text);
    CHECK(argument("> 100", std::string("{\"a\":\"") + text + "\"}", Stance::restrict));
    CHECK_FALSE(argument("> 100", std::string("{\"a\":\"") + text + "\"}"));
  }
  for (const char* text : {"-1e5000", "1e-5000", "+-500", "++500", "0x500", "500 a", ""}) {
    INFO(text);
    CHECK_FALSE(argument("> 100", std::string("{\"a\":\"") + text + "\"}", Stance::restrict));
  }
  CHECK(argument("< 0", R"({"a":"-1e5000"})", Stance::restrict));
  CHECK(argument("== +5", R"({"a":5})"));
}

TEST_CASE("inside a list one scalar is enough for a denial and all are needed for an allow") {
  CHECK(argument("x", R"({"a":["y",{"z":"x"}]})", Stance::restrict));
  CHECK_FALSE(argument("x", R"({"a":["y","x"]})"));
  CHECK(argument("x", R"({"a":["x",["x"]]})"));
}

TEST_CASE("argument tests that mean nothing do not compile") {
  CHECK(ArgumentCondition::compile("a", "x", Stance::permit).has_error());
  CHECK(ArgumentCondition::compile("/a~2", "x", Stance::permit).has_error());
  CHECK(ArgumentCondition::compile("/a", "<= many", Stance::permit).has_error());
  CHECK(ArgumentCondition::compile("/a", "re:(", Stance::permit).has_error());
}
