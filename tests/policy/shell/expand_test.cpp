#include "policy/shell/expand.hpp"

#include "policy/review/cases.hpp"
#include "policy/shell/parse.hpp"
#include "tests/catch.hpp"

using namespace policy::shell;

namespace {

const policy::DescribedFiles no_links{std::map<std::string, std::string>()};
const Surroundings around{"/w", "/home/dev", "dev", &no_links};

// The words of `: LINE` as they are expanded: `~text` not known (its literal beginning), `*text` a glob, `+`
// behind one that may be several.
std::string expanded(const std::string& words, const State& state = {}) {
  const std::string line = ": " + words;
  const auto parsed = parse(line);
  REQUIRE(parsed.has_value());
  const Expander expander(line, around);
  std::string text;
  const auto& all = parsed->steps.front().pipeline.commands.front().words;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Expansion expansion = expander.words(all[i], state);
    for (const Argument& each : expansion.words) {
      text += text.empty() ? "" : " ";
      if (each.sort == Argument::Sort::unknown) text += "~" + each.start;
      if (each.sort == Argument::Sort::glob) text += "*" + each.text;
      if (each.known()) text += "[" + each.text + "]";
      if (each.spread) text += "+";
    }
    if (!expansion.trouble.empty()) text += " !";
  }
  return text;
}

State with(const std::string& name, const std::string& value) {
  State state;
  state.directories.change() = {"/w"};
  state.variables.change()[name] = {Argument::Sort::known, value};
  return state;
}

}  // namespace

TEST_CASE("what is quoted is one word, what is not is split") {
  CHECK(expanded("$x", with("x", "a  b")) == "[a] [b]");
  CHECK(expanded("\"$x\"", with("x", "a  b")) == "[a  b]");
  CHECK(expanded("c$x'd'", with("x", "a b")) == "[ca] [bd]");
  CHECK(expanded("$x", with("x", "")) == "");
  CHECK(expanded("\"$x\" ''", with("x", "")) == "[] []");
  CHECK(expanded("$x", with("x", " a ")) == "[a]");
  CHECK(expanded("b$x", with("x", " a")) == "[b] [a]");
}

TEST_CASE("what is not known says how it begins, and whether it may be several words") {
  CHECK(expanded("$y") == "~+");
  CHECK(expanded("\"$y\"") == "~");
  CHECK(expanded("src/$y") == "~src/+");
  CHECK(expanded("\"--x=$y\"") == "~--x=");
  CHECK(expanded("$(date) `date`") == "~+ ~+");
  CHECK(expanded("$((1+2)) $? ${#y}") == "~ ~ ~");
  CHECK(expanded("\"$@\" $1") == "~+ ~+");
}

TEST_CASE("operators of an expansion keep a value that is known") {
  CHECK(expanded("${x:-b} ${x-b} ${x:?}", with("x", "a")) == "[a] [a] [a]");
  CHECK(expanded("${x%a}", with("x", "a")) == "~+");
  CHECK(expanded("${y:=a}") == "~+ !");
  CHECK(expanded("${!x}", with("x", "a")) == "~+ !");
  CHECK(expanded("${x@P}", with("x", "a")) == "~+ !");
}

TEST_CASE("globs are patterns where they are not quoted") {
  CHECK(expanded("*.c 'a*' a[b \\*") == "**.c+ [a*] [a[b] [*]");
  CHECK(expanded("$x", with("x", "*.c")) == "**.c+");
  CHECK(expanded("\"$x\"", with("x", "*.c")) == "[*.c]");
  CHECK(expanded("a\\*b*") == "*a\\*b*+");
}

TEST_CASE("tildes and the shell's own variables") {
  CHECK(expanded("~ ~/a ~dev/b ~root ~other") == "[/home/dev] [/home/dev/a] [/home/dev/b] [/root] ~");
  CHECK(expanded("$HOME $USER") == "[/home/dev] [dev]");
  CHECK(expanded("~", with("HOME", "/x")) == "~");
  CHECK(expanded("$PWD", with("x", "")) == "[/w]");
  CHECK(expanded("$PWD") == "~+");
  CHECK(expanded("$_ $OLDPWD $RANDOM", with("RANDOM", "/etc")) == "~+ ~+ ~");
}

TEST_CASE("choices in braces come before all else") {
  CHECK(expanded("a{b,c}d {1..3} {c}") == "[abd] [acd] [1] [2] [3] [{c}]");
  CHECK(expanded("{a,b{c,d}}{e,}") == "[ae] [a] [bce] [bc] [bde] [bd]");
  CHECK(expanded("{1..2000}") == "~+");
  CHECK(expanded("$c{t,t}", with("c", "ca")).ends_with("!"));
}
