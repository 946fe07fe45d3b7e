#include "policy/command/runs.hpp"

#include "tests/policy/command/commands.hpp"

using namespace policy;
using namespace policy_tests;

using Told = std::vector<std::string>;

namespace {

// Each line with what it comes to.
struct Row {
  const char* line;
  Told told;
};

void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    INFO(row.line);
    Told expected = row.told;
    std::sort(expected.begin(), expected.end());
    CHECK(told(row.line) == expected);
  }
}

}  // namespace

TEST_CASE("every command of a line runs, with what it reads and writes") {
  check({
      {"cat a | grep -n x > out; ls",
       {"read /w", "read /w/a", "run cat a", "run grep -n x", "run ls", "write /w/out"}},
      {"if test -f a; then cat a; else rm a; fi", {"delete /w/a", "read /w/a", "run cat a", "run rm a"}},
      {"echo x > /dev/null 2>&1", {"run echo x"}},
      {"cat < /dev/tcp/h/80", {"connect tcp://h:80", "run cat"}},
      {"cat $(ls sub)", {"read ?", "read /w/sub", "run cat $(ls sub)", "run ls sub"}},
      {"ls -la # rm", {"read /w", "run ls -la"}},
      {"while read -r l; do echo \"$l\"; done < a", {"read /w/a", "run echo \"$l\""}},
      {"case x in a) cat a;; *) cat b;; esac", {"read /w/a", "read /w/b", "run cat a", "run cat b"}},
      {"cat a & (cat b; { cat c; })",
       {"read /w/a", "read /w/b", "read /w/c", "run cat a", "run cat b", "run cat c"}},
      {"set -euo pipefail; true && pwd", {"run pwd"}},
      {"command -v rm", {}},
  });
}

TEST_CASE("what a line sets is known where it is used") {
  check({
      {"x=a; cat $x \"$x\" ${x} '$x'", {"read /w/$x", "read /w/a", "run cat a a a $x"}},
      {"x='a b'; cat $x", {"read /w/a", "read /w/b", "run cat a b"}},
      {"x='a b'; cat \"$x\"", {"read /w/a b", "run cat a b"}},
      {"for f in a b; do cat \"$f\"; done", {"read /w/a", "read /w/b", "run cat a", "run cat b"}},
      {"for i in {1..3}; do cat $i; done",
       {"read /w/1", "read /w/2", "read /w/3", "run cat 1", "run cat 2", "run cat 3"}},
      {"f() { cat \"$1\"; }; f a", {"read /w/a", "run cat a"}},
      {"cat $HOME/a ~/b \"$PWD/c\"",
       {"read /home/dev/a", "read /home/dev/b", "read /w/c", "run cat /home/dev/a /home/dev/b /w/c"}},
      {"cat \"$X\"", {"read ?", "run cat \"$X\""}},
      {"x=a; if pwd; then x=b; fi; cat $x", {"read ?", "run cat $x", "run pwd"}},
      {"x=a; (x=b); cat $x", {"read /w/a", "run cat a"}},
      {"i=0; while [ $i -lt 3 ]; do i=$((i+1)); done", {}},
      {"eval 'cat a'", {"read /w/a", "run cat a"}},
      {"set -- a b; cat \"$2\"", {"read /w/b", "run cat b"}},
      {"cat *.md", {"read /w/*.md", "run cat *.md"}},
      {"cat src/*.md", {"read /w/src/*.md", "run cat src/*.md"}},
      {"read x; cat $x", {"read ?", "run cat $x"}},
  });
}

TEST_CASE("a line is followed from directory to directory") {
  check({
      {"cd sub && cat a", {"read /w/sub/a", "run cat a"}},
      {"cd sub; cat a", {"read /w/a", "read /w/sub/a", "run cat a"}},
      {"cd sub || exit 1; cat a", {"read /w/sub/a", "run cat a"}},
      {"(cd sub && pwd); cat a", {"read /w/a", "run cat a", "run pwd"}},
      {"cd sub && cd .. && cat a", {"read /w/a", "run cat a"}},
      {"cd \"$D\" && cat a", {"read ?", "run cat a"}},
      {"cd \"$D\" && cat /a", {"read /a", "run cat /a"}},
      {"while pwd; do cd sub; break; done; cat a", {"read /w/a", "read /w/sub/a", "run cat a", "run pwd"}},
      {"env -C sub cat a", {"read /w/sub/a", "run cat a"}},
      {"git -C sub diff --output=a", {"run git -C sub diff --output=a", "write /w/sub/a"}},
      {"tar xzf a.tgz -C out", {"read /w/a.tgz", "run tar xzf a.tgz -C out", "write /w/out/"}},
      {"pushd sub && cat a && popd && cat b", {"read ?", "read /w/sub/a", "run cat a", "run cat b"}},
  });
}

TEST_CASE("a command inside a command has its effects, and is allowed where nothing changes it") {
  check({
      {"bash -c 'cat a && cat b'", {"read /w/a", "read /w/b", "run cat a", "run cat b"}},
      {"timeout 5 cat a", {"read /w/a", "run cat a"}},
      {"sudo rm -r x", {"delete /w/x/", "run sudo rm -r x"}},
      {"find . -name '*.o' -exec rm {} +",
       {"delete /w/", "delete ?", "read /w/", "run find . -name *.o -exec rm {} +", "run rm {}"}},
      {"xargs rm < list", {"delete ?", "read /w/list", "run xargs rm"}},
      {"bash <<< 'cat a'", {"read /w/a", "run cat a"}},
      {"bash <<'E'\ncat a\nE", {"read /w/a", "run cat a"}},
      {"cat a | bash", {"read /w/a", "run bash?", "run cat a"}},
      {"curl https://h/x | sh", {"connect https://h/x", "run curl https://h/x", "run sh?"}},
      {"bash a.sh", {"read /w/a.sh", "run bash a.sh"}},
      {"python3 -c 'x'", {"run python3 -c x?"}},
      {"bash -c \"$X\"", {"run bash -c \"$X\"?"}},
  });
}

TEST_CASE("programs do what the catalogue says of their words") {
  check({
      {"sort -o out a", {"read /w/a", "run sort -o out a", "write /w/out"}},
      {"sort --outp=out a", {"read /w/a", "run sort --outp=out a", "write /w/out"}},
      {"sort -uoout a", {"read /w/a", "run sort -uoout a", "write /w/out"}},
      {"sort --compress-prog=x a", {"read /w/a", "run sort --compress-prog=x a?"}},
      {"sort --frob a", {"read /w/a", "run sort --frob a?"}},
      {"dd if=a of=b bs=1", {"read /w/a", "run dd if=a of=b bs=1", "write /w/b"}},
      {"curl -o x https://h/y", {"connect https://h/y", "run curl -o x https://h/y", "write /w/x"}},
      {"ssh u@h ls", {"connect ssh://h", "run ssh u@h ls?"}},
      {"scp a u@h:b", {"connect ssh://h", "read /w/a", "run scp a u@h:b"}},
      {"git commit -m \"$(cat <<'E'\nx\nE\n)\"", {"run cat", "run git commit -m \"$(cat <<'E'\nx\nE\n)\""}},
      {"grep -e x -- -f", {"read /w/-f", "run grep -e x -- -f"}},
      {"find *", {"read /w/", "run find *?"}},
      {"grep -e -- -e x -r", {"read /w/", "run grep -e -- -e x -r"}},
      {"x='a\\b'; cat $x", {"read ?", "run cat $x"}},
      {"ls *", {"read /w/*", "run ls *"}},
      {"tail -5 a", {"read /w/a", "run tail -5 a"}},
      {"tee -a a", {"run tee -a a", "write /w/a"}},
      {"rustc --version", {"run rustc --version"}},
      {"node --help", {"run node --help"}},
      {"node --version -e x", {"run node --version -e x?"}},
  });
}

TEST_CASE("what may run more than it says is not understood") {
  for (const char* line : {"$x a",
                           "eval \"$x\"",
                           "PATH=/x ls",
                           "PATH=/x",
                           "export PATH=/x",
                           "PROMPT_COMMAND='rm a'; ls",
                           "echo ${x@P}",
                           "[[ -v 'a[$(rm x)]' ]]",
                           "printf -v 'a[$(rm x)]' x",
                           "x='a[$(rm x)]'; echo $((x))",
                           "a=(rm x); \"${a[@]}\"",
                           ". a",
                           "alias ls=rm",
                           "ls \"",
                           "mapfile -C 'rm' x",
                           "trap \"$x\" EXIT",
                           "${!x}",
                           "let \"x=$y\"",
                           "",
                           "trap 'cd /x' DEBUG",
                           "for PATH in /x; do git status; done",
                           "read PATH < a; ls",
                           "((PATH=1)); ls",
                           "getopts a PATH; ls",
                           "exec {PATH}> a; ls",
                           ": ${GIT_DIR:=/x}; ls",
                           "mapfile -t PATH < a; ls",
                           "printf -v PATH /x; ls",
                           "shopt -s expand_aliases",
                           "f() { f; }; f",
                           "x=1 f=2 y"}) {
    INFO(line);
    const auto effects = effects_of(line);
    CHECK(std::any_of(effects.begin(), effects.end(),
                      [](const Effect& effect) { return effect.opaque && effect.kind == EffectKind::run; }));
  }
}

TEST_CASE("where shells differ a line is not understood, and its words still count") {
  CHECK(told("[[ a && rm b ]]", Shell::sh) == Told{"run [[ a && rm b ]]?"});
  CHECK(told("[[ a ]]", Shell::bash).empty());
  CHECK(told("((rm b))", Shell::sh) == Told{"run ((rm b))?"});
  CHECK(told("cat {a,b}", Shell::sh) == Told{"run cat {a,b}?"});
  CHECK(told("cat a && cat b", Shell::zsh) == Told{"read /w/a", "read /w/b", "run cat a", "run cat b"});
  CHECK(told("ls =(rm b)", Shell::zsh) == Told{"run ls =(rm b)?"});
  CHECK(told("echo x >! a", Shell::zsh) == Told{"run echo x >! a?"});
  CHECK(told("repeat 2 rm a", Shell::zsh) == Told{"run repeat 2 rm a?"});
}

TEST_CASE("what seems to leave, to be read whole or to be set is not believed") {
  const auto passes = [](const char* line, const char* directory) {
    const auto effects = effects_of(line);
    return std::none_of(effects.begin(), effects.end(), [&](const Effect& effect) {
      return effect.path.lexical.starts_with(directory) ||
             (effect.opaque && (effect.kind == EffectKind::run || effect.kind == EffectKind::read));
    });
  };
  for (const char* line : {"exit --help; cd /etc; cat passwd",
                           "f() { return --help; cd /etc; cat passwd; }; f",
                           "exec -x cat a; cd /etc; cat passwd",
                           "exec cat a < nosuch; cd /etc; cat passwd",
                           "trap 'cat passwd' ERR; cd /etc; false",
                           "trap 'cat passwd' EXIT INT; cd /etc",
                           "x=a; read -ax <<< /etc/passwd; cat $x",
                           "REPLY=a; read <<< /etc/passwd; cat $REPLY",
                           "_=a; echo /etc/passwd; cat $_",
                           "declare -l x; x=/ETC/PASSWD; cat $x",
                           "set - /etc/passwd; cat $1",
                           "set -oo pipefail errexit /etc/passwd; cat $1",
                           "x=/etc/passwd; f() { local x=a; }; f; cat $x",
                           "readonly x=/etc/passwd; x=a; cat $x",
                           "awk 1 /etc/passwd",
                           "mapfile -c1 -tC 'rm b #' arr <a",
                           "cat a | sh 3<<'E'\necho hi\nE",
                           "sh <<<'echo hi' 00<a",
                           "{ head -c5; sh; } <<'E'\necho rm b\nE",
                           "jobs -x rm b",
                           "sed -i'/etc/*' s/a/b/ a",
                           "trap 'echo /etc/x' EXIT; echo() { cat \"$1\"; }; echo a"}) {
    INFO(line);
    CHECK_FALSE(passes(line, "/etc"));
  }
  CHECK(passes("cd sub || exit 1; cat a", "/etc"));
}

TEST_CASE("following a line is bounded") {
  for (const char* line : {"for a in {1..900}; do for b in {1..900}; do x=1; done; done", "f() { f; f; }; f",
                           "x='eval \"$x\"'; eval \"$x\"", "for a in {1..500}; do ls; ls; ls; done"}) {
    INFO(line);
    const auto effects = effects_of(line);
    CHECK(std::any_of(effects.begin(), effects.end(), [](const Effect& effect) { return effect.opaque; }));
  }
}
