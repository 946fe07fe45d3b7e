#include "policy/shell/parse.hpp"

#include "tests/catch.hpp"
#include "tests/policy/shell/shown.hpp"

using namespace policy::shell;

namespace {

std::string read(std::string_view line) {
  const auto parsed = parse(line);
  return parsed ? shell_tests::shown(*parsed)
                : "! " + parsed.error().message() + " at " + parsed.error().place();
}

}  // namespace

TEST_CASE("words lose their quotes and keep what is expanded") {
  CHECK(read("git log -5") == "(git log -5)");
  CHECK(read(R"(a 'b c' "d $x" e\ f $'\x41\n' "")") == "(a 'b c' 'd '\"$x\" e' 'f 'A\n' '')");
  CHECK(read("echo $x ${y} ${z:-w} ${#n} $1 $@") == "(echo $x $y $z{:-|w} $n{#} $1 $@)");
  CHECK(read("ls ~/a ~root *.c a?[b]") == "(ls ~/a ~root *.c a?[b])");
  CHECK(read("echo {a,b{c,d}} {1..3} {a {a}") == "(echo {a|b{c|d}} {1..3} {a {a})");
  CHECK(read("l\\\ns -\\\nl") == "(ls -l)");
  CHECK(read("a#b # c") == "(a#b)");
}

// `e` as the user of a tilde that is expanded: shown as it is written either way, so the parts are counted.
TEST_CASE("a tilde is expanded where a shell expands it, and nowhere else") {
  const auto tildes = [](std::string_view line) {
    const auto list = parse(line).value();
    const Command& command = list.steps.front().pipeline.commands.front();
    std::size_t count = 0;
    std::vector<Word> words = command.words;
    for (const Assignment& each : command.assignments) words.push_back(each.value);
    for (const Word& word : words)
      for (const Part& part : word.parts) count += part.kind == Part::Kind::tilde ? 1 : 0;
    return count;
  };
  for (const char* line : {"ls ~", "ls ~e/x", "x=~ ls", "x=a:~ ls", "ls x=~", "ls x=a:~/b"})
    CHECK(tildes(line) == 1);
  for (const char* line :
       {"ls a~", "ls '~'", "ls \\~", "ls \"~\"", "ls a:~", "ls -x=~", "ls 'x'=~", "ls ~'e'"})
    CHECK(tildes(line) == 0);
}

TEST_CASE("every way to run something is a command of the tree") {
  CHECK(read("a; b && c || d & e | f\ng") == "(a) (b) &&(c) ||(d) &(e)|(f) (g)");
  CHECK(read("! a") == "!(a)");
  CHECK(read("(a; b) > c") == "sub[(a) (b)]>c");
  CHECK(read("{ a; }") == "{[(a)]");
  CHECK(read("echo $(a) `b` \"$(c `d`)\" <(e) >(f)") ==
        "(echo $[(a)] $[(b)] ''\"$[(c $[(d)])]\" <[(e)] <[(f)])");
  CHECK(read("echo $((1 + $(a)))") == "(echo $((1 + $[(a)])))");
  CHECK(read("echo ${x:-$(a)}") == "(echo $x{:-|$[(a)]})");
  CHECK(read("echo \"${x:-'$(a) b'}\"") == "(echo ''\"$x{:-|'''\"$[(a)]\"' b''}\")");
  CHECK(read("cat <<A <<'B'\n$(a)\nA\n$(b)\nB\nc") == "(cat)<<\"$[(a)]\"'\n'<<'$(b)\n' (c)");
  CHECK(read("if a; then b; elif c; then d; else e; fi") == "if[(a)][(b)][(c)][(d)][(e)]");
  CHECK(read("while a; do b; done") == "loop[(a)][(b)]");
  CHECK(read("for i in x $(a); do b; done") == "for i x $[(a)] [(b)]");
  CHECK(read("case $x in a|b) c;; *) d; esac") == "case $x a b[(c)] *[(d)]");
  CHECK(read("f() { a; }; f") == "f()[{[(a)]] (f)");
  CHECK(read("coproc a") == "coproc[(a)]");
  CHECK(read("[[ $(a) == b ]]") == "[[$[(a)] == b]]");
  CHECK(read("x=$(a) y+=b z=(c $(d)) e") == "(x=$[(a)] y=b z=[c $[(d)]] e)");
}

TEST_CASE("redirections name what they open") {
  CHECK(read("a > b 2>&1 < c >> d") == "(a)>b 2>&1 <c >>d");
  CHECK(read("a &> b >&c &>> d <> e >| f") == "(a)&>b &>c &>>d <>e >f");
  CHECK(read("a {fd}>b 3<&- <<< c") == "(a){fd}>b 3>&- <<<c");
  CHECK(read("> a") == "()>a");
}

TEST_CASE("what no shell would take, or not every one in the same way, is an error with its place") {
  CHECK(read("echo 'a") == "! a single quote is not closed at 5");
  for (const char* line :
       {"a &&", "a | ", ";", "& a", "if a; then fi", "a (", ")", "}", "done", "cat <<A\nb", "${", "$(a", "`a",
        "a\"", "[[ a", "((a", "case a in b", "f()", "a;;", "in", "]]", "x[1", "echo $'\\0'", "a > > b",
        // bash and POSIX find the end of these in different places.
        "a \"${x:-'}\" '$(b)}\" #'", "a \"${x+'}\"; b; a \"'}\"", "a \"${x:'}\"; b; a \"'}\"",
        "cat <<E\n${x:-'}'}\nE", "a \"${x:-'\"'}\"", "a \"${x:-'`b'c`'}\"", "a \"${x:-$(b ')'}\" ')\"",
        "a \"${x#$'\\''}\"", "a \"${x:-$'b'}\"", "a \"${x:-it's}\"",
        // Evaluates the subscript.
        "a {x[1]}> b", "a {x['$(b)']}> b", "a {x[$(b)]}< b", "a 99999999999> b"})
    CHECK(read(line).starts_with("! "));
  CHECK(read(std::string("a\0b", 3)).starts_with("! a NUL byte"));
}

TEST_CASE("a line is bounded in bytes, commands, parts and depth") {
  const auto code = [](const std::string& line) {
    const auto parsed = parse(line);
    return parsed ? base::Code::refused : parsed.error().code();
  };
  const auto repeated = [](std::string_view piece, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += piece;
    return text;
  };
  CHECK(code(std::string(line_bytes_max + 1, 'a')) == base::Code::limit);
  CHECK(code(repeated("a;", commands_max + 1)) == base::Code::limit);
  CHECK(code("a" + repeated(" $x", parts_max + 1)) == base::Code::limit);
  CHECK(code(repeated("$(", depth_max + 1)) == base::Code::limit);
  CHECK(code(repeated("`", 1001)) != base::Code::refused);
  CHECK(parse(repeated("a;", commands_max - 1)).has_value());
  // None of these takes long: what was looked at once is not looked at again.
  for (const char* piece : {"{", "{a,", "$((", "((", "${x:-", "[[ (", "a=(", "$[", "x[", "\"$("})
    parse(repeated(piece, 8000));
}
