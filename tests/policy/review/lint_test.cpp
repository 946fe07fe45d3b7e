#include "policy/review/lint.hpp"

#include <algorithm>

#include "policy/load/load.hpp"
#include "tests/catch.hpp"

using namespace policy;

namespace {

// Messages about the rule `x` of this policy, beside the built-in rules.
std::vector<std::string> messages(const std::string& text) {
  const Source source{Layer::mission, "p.toml", "version = 1\n" + text, true};
  const auto rules = compile_sources(complete_sources({source}), {"/home/dev/w", "/home/dev"}).value();
  std::vector<std::string> found;
  for (const Warning& warning : lint(rules))
    if (warning.rule == "x") found.push_back(warning.message);
  return found;
}

bool says(const std::string& text, const std::string& part) {
  const auto found = messages(text);
  return std::any_of(found.begin(), found.end(),
                     [&](const std::string& message) { return message.find(part) != std::string::npos; });
}

std::string allow(const std::string& keys) { return "[[allow]]\nid = \"x\"\n" + keys + "\n"; }
std::string deny(const std::string& keys) { return "[[deny]]\nid = \"y\"\n" + keys + "\n"; }

}  // namespace

TEST_CASE("narrow rules draw no warning") {
  CHECK(messages(allow("read = [\"src/**\", \"tests/**\"]")).empty());
  CHECK(messages(allow("run = [\"git status\", \"npm run build\", \"python3 tools/check.py\"]")).empty());
  CHECK(messages(allow("connect = \"api.example.com\"")).empty());
  CHECK(messages(allow("read = \"src/**\"") + deny("read = \"src/secret/**\"")).empty());
}

TEST_CASE("a rule that a stricter one covers never decides") {
  CHECK(
      says(allow("read = \"src/**\"") + deny("read = \"src/**\""), "never decides: the deny `y` (p.toml:5)"));
  CHECK(says(allow("read = \"src/a/*.c\"") + deny("path = \"src/\""), "never decides"));
  CHECK(says(allow("run = \"git push origin\"") + deny("run = \"git push\""), "never decides"));
  CHECK(says(allow("run = \"git push\"") + "[[ask]]\nid = \"z\"\nrun = \"git *\"\n",
             "never decides: the ask `z`"));
  CHECK(says(allow("tool = \"a\"\nread = \"b\"") + deny("tool = \"a\""), "never decides"));
  CHECK(says(allow("write = \"/etc/callgate/policy.toml\""), "built in"));
}

TEST_CASE("a rule that comes after what is denied never holds") {
  const std::string waits = "[[ask]]\nid = \"x\"\nconnect = \"@any\"\nafter.read = [\"**/.env\"]\n";
  CHECK(says(waits + deny("path = \"**/.env\""), "never holds: the deny `y` (p.toml:6) covers all"));
  CHECK_FALSE(says(waits + deny("path = \".env\""), "never holds"));
  CHECK_FALSE(says(waits + deny("path = \"**/.env\"\nserver = \"a\""), "never holds"));
  CHECK_FALSE(says(waits + deny("path = \"**/.env\"\nafter.run = \"a\""), "never holds"));
  CHECK(messages(waits).empty());
}

TEST_CASE("a rule with after or rate hides no other") {
  CHECK_FALSE(says(allow("read = \"a\"") + deny("read = \"a\"\nafter.run = \"b\""), "never decides"));
  CHECK_FALSE(
      says(allow("read = \"a\"") + "[[allow]]\nid = \"z\"\nread = \"**\"\nrate = \"1/s\"\n", "nothing"));
  CHECK(
      says(allow("read = \"a\"\nrate = \"1/s\"") + "[[allow]]\nid = \"z\"\nread = \"**\"\n", "adds nothing"));
}

TEST_CASE("a user's name that no system gives is said") {
  CHECK(says(allow("read = \"a\"\nhost_user = \"a:b\""), "never matches: no user's name"));
  CHECK(messages(allow("read = \"a\"\nhost_user = [\"alice\", \"ci-*\"]")).empty());
}

TEST_CASE("a rule that is covered only in part still decides") {
  CHECK_FALSE(says(allow("read = \"src/**\"") + deny("read = \"src/**\"\nserver = \"a\""), "never decides"));
  CHECK_FALSE(
      says(allow("read = \"src/**\"") + deny("read = \"src/**\"\nargument = {\"/a\"=1}"), "never decides"));
  CHECK_FALSE(
      says(allow("read = \"src/**\"") + deny("read = \"src/**\"\nexcept.read = \"src/a\""), "never decides"));
  CHECK_FALSE(says(allow("read = [\"a\", \"b\"]") + deny("read = \"a\""), "never decides"));
  CHECK_FALSE(says(allow("run = \"git push\"") + deny("run = \"git push $\""), "never decides"));
}

TEST_CASE("what meets something that no other rule does is not said to add nothing") {
  const std::string elsewhere = allow("run = \"git status\"\ncwd = \"sub/**\"");
  CHECK_FALSE(says("[[allow]]\nid = \"y\"\nrun = \"git status\"\n" + elsewhere, "adds nothing"));
  const std::string words = "[[ask]]\nid = \"y\"\nwrite = \"**\"\n[[ask]]\nid = \"x\"\nwrite = \"out\"\n";
  CHECK_FALSE(says(words, "adds nothing"));
}

TEST_CASE("rules on results are looked at as others are") {
  CHECK(
      says("[[deny]]\nid = \"y\"\ntool = \"a\"\nresult = [\"x\"]\n[[deny]]\nid = \"x\"\ntool = \"a\"\nresult "
           "= [\"x\"]\n",
           "adds nothing: `y`"));
  CHECK_FALSE(says("[[deny]]\nid = \"y\"\ntool = \"a\"\nresult = [\"x\"]\n" + allow("tool = \"a\""),
                   "never decides"));
  CHECK(says("[[ask]]\nid = \"x\"\nread = \"../other/**\"\nresult = [\"x\"]\n", "leaves the workspace"));
}

TEST_CASE("repeated rules and patterns are named") {
  CHECK(says("[[allow]]\nid = \"y\"\nread = \"src/**\"\n" + allow("read = \"src/a\""), "adds nothing: `y`"));
  CHECK(says(allow("read = [\"src/**\", \"./src/**\"]"), "`./src/**` is there twice"));
  CHECK(says(allow("run = [\"git log\", \"git log\"]"), "`git log` is there twice"));
}

TEST_CASE("a relative pattern that leaves the workspace is named") {
  CHECK(says(allow("read = \"../other/**\""),
             "`../other/**` leaves the workspace: it means `/home/dev/other/**`"));
}

TEST_CASE("an allow that is wider than it looks is named") {
  CHECK(says(allow("path = \"/**\""), "every path of the machine"));
  CHECK(says(allow("read = \"~/**\""), "the whole home folder"));
  CHECK(says(allow("run = \"*\""), "any program"));
  for (const char* program : {"bash", "python3", "env", "xargs", "node"})
    CHECK(says(allow("run = \"" + std::string(program) + "\""), "can be told to run"));
  CHECK(says(allow("server = \"a\""), "every effect of every tool"));
  CHECK(says(allow("server = \"a\"\ntool = \"b\""), "every effect of the tools it names"));
  CHECK(says(allow("server = \"a\"\ntool = \"b\"\nopaque = true"), "cannot read"));
  CHECK(says(allow("connect = \"https://@any\""), "every host"));
  CHECK(says(allow("connect = \"@private\""), "`@link-local` too"));
}

TEST_CASE("an allow of every host beside a deny of private ones is as it looks") {
  const std::string inside = deny("connect = \"@private\"");
  CHECK_FALSE(says(inside + allow("connect = \"https://@any\""), "every host"));
  CHECK(says(deny("connect = \"https://@private\"") + allow("connect = \"@any\""), "every host"));
  CHECK(says(inside + allow("connect = \"http://10.0.0.1:8080\""), "never decides"));
  CHECK(says(allow("connect = [\"a.example\", \"a.example\"]"), "there twice"));
}

TEST_CASE("a deny without any key is named") {
  CHECK(says("[[deny]]\nid = \"x\"\n", "denies every call"));
  CHECK_FALSE(says("[[deny]]\nid = \"x\"\nopaque = true\n", "denies every call"));
}

TEST_CASE("an id used in two layers is shown") {
  const Source user{Layer::user, "u.toml", "version = 1\n[[deny]]\nid = \"x\"\nread = \"a\"\n", true};
  const Source mission{Layer::mission, "m.toml", "version = 1\n[[deny]]\nid = \"x\"\nread = \"b\"\n", true};
  const auto found = lint(compile_sources({user, mission}, {"/w", "/h"}).value());
  REQUIRE(found.size() == 1);
  CHECK(found[0].place == "m.toml:2");
  CHECK(found[0].message == "the id is also used by `x` (u.toml:2) of another layer");
}

TEST_CASE("a deny of bundled options is named, since spelled apart they pass it") {
  const auto denied = [](const std::string& run) {
    return says("[[deny]]\nid = \"x\"\nrun = \"" + run + "\"\n", "spelled apart");
  };
  CHECK(denied("rm -rf"));
  CHECK(denied("rm -Rf"));
  CHECK(denied("rm {-rf,-fr}"));
  CHECK_FALSE(denied("rm -r"));
  CHECK_FALSE(denied("rm"));
  CHECK_FALSE(denied("find -delete"));
  CHECK_FALSE(says(allow("run = \"ls -la\""), "spelled apart"));
}

TEST_CASE("braces where they are no choice are named") {
  CHECK(says(allow("read = \"**/*.{c,h}\""), "`**/*.{c,h}` holds braces, which are literal here"));
  CHECK(says(allow("tool = \"{read,list}_file\"\nread = \"a\""), "holds braces"));
  CHECK_FALSE(says(allow("read = \"re:a{1,2}\""), "holds braces"));
  CHECK_FALSE(says(allow("read = \"{a}/b,c\""), "holds braces"));
  CHECK_FALSE(says(allow("run = \"git {log,diff}\""), "holds braces"));
}

TEST_CASE("an allow that an ask covers never decides, whatever else the ask excepts") {
  const std::string asks =
      "[[ask]]\nid = \"z\"\nrun = \"npm {test,run}\"\nexcept.run = [\"npm --version $\", \"npm run lint\"]\n";
  CHECK(says(allow("run = \"npm test $\"") + asks,
             "never decides: the ask `z` (p.toml:5) covers all of it, and nothing in the `except` there is"));
  CHECK(says(allow("run = \"npm run build\"") + asks, "never decides"));
  CHECK_FALSE(says(allow("run = \"npm run lint $\"") + asks, "never decides"));
  CHECK_FALSE(says(allow("run = \"npm run *\"") + asks, "never decides"));
  CHECK_FALSE(says(allow("run = \"npm --version $\"") + asks, "never decides"));
  CHECK(says(allow("run = \"npm test\"\nserver = \"a\"") +
                 "[[ask]]\nid = \"z\"\nrun = \"npm test\"\nexcept.server = \"b\"\n",
             "never decides"));
  CHECK(says(allow("read = \"src/a/**\"") + deny("read = \"src/**\"\nexcept.read = \"src/b/*\""),
             "never decides: the deny `y`"));
}

TEST_CASE("tools that do nothing but be used draw no warning that their effects are open") {
  CHECK(messages(allow("server = \"files\"\ntool = \"list_allowed_directories\"")).empty());
  CHECK(messages(allow("server = \"mine\"\ntool = [\"list_allowed_directories\"]")).empty());
  CHECK(says(allow("server = \"files\"\ntool = [\"list_allowed_directories\", \"write_file\"]"),
             "every effect of the tools"));
  CHECK(says(allow("server = \"files\"\ntool = \"list_*\""), "every effect of the tools"));
  CHECK(says("[tools.\"a/list_allowed_directories\"]\nwrite = \"/p\"\n" +
                 allow("server = \"a\"\ntool = \"list_allowed_directories\""),
             "every effect of the tools"));
}

TEST_CASE("a tool that is named together with its server is named in two keys") {
  for (const std::string tier : {"allow", "ask", "deny"}) {
    const auto rule = [&](const std::string& keys) { return "[[" + tier + "]]\nid = \"x\"\n" + keys + "\n"; };
    CHECK(says(rule("tool = \"files/write_file\""),
               "matches neither: write `server = \"files\"`, `tool = \"write_file\"`"));
    CHECK(says(rule("tool = \"*/write_file\""), "matches neither: write `tool = \"write_file\"`"));
    CHECK(says(rule("tool = \"mcp__files__write_file\""),
               "matches neither: write `server = \"files\"`, `tool = \"write_file\"`"));
    CHECK(says(rule("tool = \"mcp__files__*\""), "matches neither: write `server = \"files\"`"));
    CHECK(says(rule("server = \"mcp__files\""), "matches neither: write `server = \"files\"`"));
    CHECK(says(rule("tool = \"[rw]*_file\""), "holds brackets"));
    CHECK(says(rule("read = \"a\"\nexcept.tool = \"files/write_file\""), "matches neither"));
  }
}

TEST_CASE("a path that is written as a shell or a list of ignored files has it is named") {
  for (const std::string tier : {"allow", "ask", "deny"}) {
    const auto rule = [&](const std::string& keys) { return "[[" + tier + "]]\nid = \"x\"\n" + keys + "\n"; };
    CHECK(says(rule("path = \"$HOME/x\""), "no variable is put in: write `~/x`"));
    CHECK(says(rule("path = \"${HOME}/x\""), "no variable is put in: write `~/x`"));
    CHECK(says(rule("run = \"a\"\ncwd = \"$HOME/x\""), "write `~/x`"));
    CHECK(says(rule("path = \"$OTHER/x\""), "write out what it holds"));
    CHECK(says(rule("path = [\"src/**\", \"!src/a\"]"), "write `src/a` in the rule's `except`"));
    CHECK(says(rule("path = \"src/*.[ch]\""), "holds brackets"));
    CHECK(says(rule("path = \"src/a \""), "ends with a blank, which counts: write `src/a`"));
    CHECK(says(rule("agent = \" claude\"\nread = \"a\""), "a blank, which counts: write `claude`"));
    CHECK(says(rule("connect = \"a.example\"\nafter.read = \"$HOME/x\""), "write `~/x`"));
    CHECK_FALSE(says(rule("path = \"re:[ab] $\""), "brackets"));
    CHECK_FALSE(says(rule("path = \"a$b/$\""), "variable"));
  }
}

TEST_CASE("a bare name in what denies or asks is said to be meant at the top only") {
  for (const std::string keys : {"[[deny]]\nid = \"x\"\npath", "[[ask]]\nid = \"x\"\nread",
                                 "[[allow]]\nid = \"x\"\nread = \"a\"\nexcept.read"}) {
    CHECK(says(keys + " = \".env\"", "write `**/.env` for all folders, or `./.env` for that one"));
    CHECK(says(keys + " = \"*.pem\"", "write `**/*.pem` for all folders"));
    for (const char* meant : {"./.env", "**/.env", "src", "Makefile", "*", "~", ".git/"})
      CHECK_FALSE(says(keys + " = \"" + meant + "\"", "at the top"));
  }
  CHECK_FALSE(says(allow("read = \".env.example\""), "at the top"));
}

TEST_CASE("the name of detectors that is taken as an expression is named") {
  for (const char* key : {"content", "result"})
    for (const char* text : {"@secrets ", " @secrets", "@Secrets"})
      CHECK(says("[[deny]]\nid = \"x\"\n" + std::string(key) + " = \"" + text + "\"\n",
                 "is taken as an expression, not as the name of detectors: write `@secrets`"));
  CHECK_FALSE(says("[[deny]]\nid = \"x\"\ncontent = \"@secrets\"\n", "expression"));
  CHECK_FALSE(says("[[deny]]\nid = \"x\"\ncontent = \" @override\"\n", "expression"));
}

TEST_CASE("a command that never matches, or only where its option stands, is named") {
  for (const std::string tier : {"allow", "ask", "deny"})
    CHECK(says("[[" + tier + "]]\nid = \"x\"\nrun = \"FOO=1 make\"\n",
               "never matches, since variables are no words of the command: begin with `make`"));
  for (const std::string tier : {"ask", "deny"}) {
    const auto rule = [&](const std::string& run) {
      return "[[" + tier + "]]\nid = \"x\"\nrun = \"" + run + "\"\n";
    };
    CHECK(says(rule("git push --force"),
               "only where `--force` stands directly behind `push`: write `git push`"));
    CHECK(says(rule("git push {--force,-f}"), "directly behind `push`: write `git push`"));
    CHECK_FALSE(says(rule("git push --force $"), "directly behind"));
    CHECK_FALSE(says(rule("git push"), "directly behind"));
    CHECK_FALSE(says(rule("find -delete"), "directly behind"));
  }
  CHECK_FALSE(says(allow("run = \"git push --force\""), "directly behind"));
}

TEST_CASE("a redirect to where nothing is allowed is named") {
  const std::string moves =
      allow("write = \"src/**\"\nredirect = { write = { from = \"src\", to = \"out\" } }");
  const auto rule = [](const std::string& tier, const std::string& keys) {
    return "[[" + tier + "]]\nid = \"z\"\n" + keys + "\n";
  };
  CHECK(says(moves, "redirects to `/home/dev/w/out`, which no allow covers"));
  CHECK(says(moves + rule("allow", "read = \"out/**\""), "which no allow covers"));
  CHECK_FALSE(says(moves + rule("allow", "write = \"out/**\""), "which no allow covers"));
  CHECK_FALSE(says(moves + rule("allow", "write = \"out/a/*.c\""), "which no allow covers"));
  CHECK_FALSE(says(moves + rule("ask", "write = \"**\""), "which no allow covers"));
  CHECK(says(moves + rule("ask", "server = \"a\""), "which no allow covers"));
  CHECK(says(moves + rule("ask", "elevated = true"), "which no allow covers"));
  CHECK_FALSE(says(moves + rule("allow", "server = \"a\""), "which no allow covers"));
  const std::string hosts = allow(
      "connect = \"a.example\"\nredirect = { connect = { from = \"https://a.example\", to = "
      "\"https://b.example\" } }");
  CHECK(says(hosts, "redirects to `https://b.example`, which no allow covers"));
  CHECK(says(hosts + rule("allow", "connect = \"http://b.example\""), "which no allow covers"));
  CHECK_FALSE(
      says(hosts + rule("allow", "connect = \"GET https://*.example/v1/**\""), "which no allow covers"));
}

TEST_CASE("a pattern that is a folder alone is named where folders are known") {
  const auto about = [](const std::string& text) {
    const Source source{Layer::mission, "p.toml", "version = 1\n" + text, true};
    const auto rules = compile_sources(complete_sources({source}), {"/w", "/home/dev"}).value();
    return lint(rules, [](const std::string& path) { return path == "/w/src"; });
  };
  const auto found = about(allow("read = [\"src\"]"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].message == "`src` is a folder, and means nothing below it: write `src/` for all of it");
  CHECK(about(allow("read = [\"src/\", \"lib\", \"*\"]")).empty());
}
