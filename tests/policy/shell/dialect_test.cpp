#include "policy/shell/dialect.hpp"

#include "policy/shell/parse.hpp"
#include "tests/catch.hpp"

using namespace policy::shell;

namespace {

bool alike(const char* line, Dialect dialect) {
  const auto parsed = parse(line);
  REQUIRE(parsed.has_value());
  return trouble_with_dialect(line, *parsed, dialect).empty();
}

}  // namespace

TEST_CASE("bash reads every line of its own") {
  for (const char* line : {"[[ a ]]", "a=(b)", "cat <<< x", "echo {a,b} $'x'"}) {
    INFO(line);
    CHECK(alike(line, Dialect::bash));
  }
}

TEST_CASE("what sh may read in another way is no line for sh") {
  for (const char* line : {"[[ a ]]",
                           "((a))",
                           "a=(b)",
                           "a+=b",
                           "a[1]=b",
                           "cat <<< x",
                           "echo {a,b}",
                           "echo $'x'",
                           "echo $\"x\"",
                           "a &> b",
                           "a {f}> b",
                           "function f { a; }",
                           "echo `a $'x'`",
                           "cat <<E\n$(a $'x')\nE",
                           "cat <<E\n`a $\"x\"`\nE",
                           "cat <<E\n${x:-$(a {b,c})}\nE",
                           "echo `function f { a; }`",
                           "echo `a &> b`",
                           "cat <<E\n$(x=(a))\nE",
                           "echo $[1]",
                           "echo \"$[1]\"",
                           "coproc a",
                           "cat ~+/a",
                           "cat ~-",
                           "a 12> b",
                           "a 2026< b",
                           "{ a; } 10>&1",
                           "time x=1",
                           "time { a; }",
                           "time ! a",
                           "! time a",
                           "echo \"${x/'}\"; a; echo \"'}\"",
                           "echo \"${x^'}\"; a; echo \"'}\"",
                           "echo $(cat <<< x)",
                           "for i in {1..3}; do a; done",
                           "case x in $'x') a;; esac"}) {
    INFO(line);
    CHECK_FALSE(alike(line, Dialect::posix));
  }
  for (const char* line : {"a > b 2>&1", "f() { a; }; f", "for i in 1 2; do a; done", "cat <<E\n$(a)\nE",
                           "x=1 a", "if a; then b; fi", "echo \"${x:-y}\" `a`", "a 3> b", "echo '{a,b}'",
                           "time a b", "time -p a | b", "echo `a \"x\"`", "cat <<E\n$(a 2>&1)\nE",
                           "echo \"${x#'}'}\"", "echo ${x//a/b} ${x:0:1}", "cat ~/a"}) {
    INFO(line);
    CHECK(alike(line, Dialect::posix));
  }
}

TEST_CASE("of zsh only plain words are read") {
  for (const char* line : {"ls -la", "git log --format=x | head -3", "a && b || c; d", "echo 'a $b' \"c\""}) {
    INFO(line);
    CHECK(alike(line, Dialect::zsh));
  }
  for (const char* line : {"echo $x", "ls *.c", "ls =x", "echo `a`", "a > b", "repeat 2 a", "noglob a",
                           "echo a#b", "echo \"$x\"", "{ a; }", "(a)", "- a", "echo ~"}) {
    INFO(line);
    CHECK_FALSE(alike(line, Dialect::zsh));
  }
}
