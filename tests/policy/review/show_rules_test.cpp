#include "policy/review/show_rules.hpp"

#include "policy/load/load.hpp"
#include "tests/catch.hpp"

using namespace policy;

namespace {

std::string shown(const std::string& text) {
  const Source source{Layer::repository, "p.toml", "version = 1\n" + text, true};
  return show_rules(compile_sources({source}, {"/w", "/home/dev"}).value());
}

CompiledRules compiled(const std::string& text) {
  return compile_sources({{Layer::repository, "p.toml", "version = 1\n" + text, true}}, {"/w", "/home/dev"})
      .value();
}

}  // namespace

TEST_CASE("a rule is shown in one line with all that it covers") {
  CHECK(shown("[[allow]]\nid = \"x\"\nserver = \"files\"\nread = [\"a\", \"b/**\"]\nrun = \"git log\"\n"
              "except.read = \"b/c\"\n") ==
        "  ALLOW `x`: server `files`; read `a`, `b/**`; run `git log`; except where read `b/c`\n");
  CHECK(shown("[[allow]]\nid = \"x\"\nserver = \"a\"\ntool = \"b\"\nopaque = true\n") ==
        "  ALLOW `x`: server `a`; tool `b`; opaque too; every effect\n");
  CHECK(shown("[[deny]]\nid = \"x\"\npath = [\"a\", \"b\"]\n") == "  DENY `x`: path `a`, `b`\n");
  CHECK(shown("[[deny]]\nid = \"x\"\nrun = \"rm\"\nelevated = true\n") == "  DENY `x`: run `rm`; elevated\n");
}

TEST_CASE("what a file declares and its default are shown beside its rules") {
  CHECK(shown("default = { read = \"ask\" }\n[tools.\"a/b\"]\nread = \"/p\"\nignore = \"/q\"\n") ==
        "  default: read ASK\n  tool `a/b`: read `/p`; ignore `/q`\n");
  CHECK(shown("default = \"ask\"\n") == "  default: ASK\n");
}

TEST_CASE("text of an untrusted file is shown whole and printable") {
  const std::string longest(600, 'x');
  CHECK(shown("[[allow]]\nid = \"x\"\nread = \"" + longest + "\"\n").find(longest) != std::string::npos);
  CHECK(shown("[[allow]]\nid = \"x\"\nread = \"a\\u202Eb\"\n").find("\u202E") == std::string::npos);
}

TEST_CASE("of two versions only what differs is shown, a changed rule as it was and as it is") {
  const std::string kept = "[[deny]]\nid = \"k\"\npath = \"k\"\n";
  const auto rule = [](const char* id, const char* path) {
    return std::string("[[allow]]\nid = \"") + id + "\"\nread = \"" + path + "\"\n";
  };
  const ShownChanges changes = show_changes(compiled(rule("gone", "g") + kept + rule("x", "a")),
                                            compiled(rule("x", "b") + rule("new", "n") + kept));
  CHECK(changes.text ==
        "  - ALLOW `x`: read `a`\n  + ALLOW `x`: read `b`\n  + ALLOW `new`: read `n`\n"
        "  - ALLOW `gone`: read `g`\n");
  CHECK(changes.kept == 1);
}

TEST_CASE("order and words for people change nothing, a default does") {
  const std::string a = "[[deny]]\nid = \"a\"\npath = \"a\"\n";
  const std::string b = "[[deny]]\nid = \"b\"\npath = \"b\"\n";
  CHECK(show_changes(compiled(a + "why = \"w\"\n" + b), compiled(b + a)).text.empty());
  CHECK(show_changes(compiled(a), compiled("default = \"ask\"\n" + a)).text == "  + default: ASK\n");
}
