// What a line leaves changed: values, directories, options. An attacker's words are taken for what they may
// do.
#include "policy/shell/walker.hpp"

#include "tests/policy/command/commands.hpp"

using namespace policy;
using namespace policy_tests;

using Told = std::vector<std::string>;

namespace {

bool understood(const char* line, Shell shell = Shell::bash) {
  const auto effects = effects_of(line, shell);
  return std::none_of(effects.begin(), effects.end(), [](const Effect& effect) { return effect.opaque; });
}

bool runs(const char* line, const std::string& program) {
  const auto effects = effects_of(line);
  return std::any_of(effects.begin(), effects.end(), [&](const Effect& effect) {
    return effect.kind == EffectKind::run && !effect.command.words.empty() &&
           effect.command.words.front() == program;
  });
}

}  // namespace

TEST_CASE("a value that the shell reads as code is not taken for text") {
  for (const char* line :
       {"declare -a 'x=($(rm a))'", "local 'x=($(rm a))'", "readonly \"x=(\\$(rm a))\"",
        "export 'x=($(rm a))'", "declare -a x; declare \"x=$v\"", "declare \"DIRSTACK=$v\"",
        "read -ra x < a; declare \"x=$v\"", "[ ! \"$(echo -v)\" 'a[$(rm a)]' ]", "[ \"$v\" \"$w\" ]",
        "test -R 'a[$(rm a)]'", "unset 'a[$(rm a)]'"}) {
    INFO(line);
    CHECK_FALSE(understood(line));
  }
  for (const char* line :
       {"declare x=a", "f() { local x=$1; pwd; }; f a", "[ -n \"$v\" ]", "[ \"$v\" = \"$w\" ]",
        "[ -z \"$v\" -o -z \"$w\" ]", "declare -a x=(1 2)", "unset -v x"}) {
    INFO(line);
    CHECK(understood(line));
  }
  CHECK_FALSE(understood("test 'a[$(rm a)]' -eq 1", Shell::zsh));
  CHECK_FALSE(understood("printf %d 'a[$(rm a)]'", Shell::zsh));
}

TEST_CASE("a target that bash expands twice holds nothing to expand") {
  for (const char* line :
       {"pwd >&'a$(rm a)'", "pwd 1>&'a`rm a`'", "pwd >&\"$v\"", "pwd >& $'a\\x24(rm a)'", "pwd >&\\~",
        "pwd >&a*", "x='$(rm a)'; pwd >&\"$x\"", "{ pwd; } >&'$(rm a)'", "pwd 2>&'$(rm a)'",
        "pwd <&'$(rm a)'", "f() { pwd; } >&'$(rm a)'; f", "cat <<E >&'$(rm a)'\na\nE"}) {
    INFO(line);
    CHECK_FALSE(understood(line));
  }
  for (const char* line : {"pwd >&a.log", "pwd >& \"$HOME/a\"", "pwd 2>&1", "pwd >&2", "exec 3>&-",
                           "pwd &>'a$(rm a)'", "pwd > 'a$(rm a)'", "pwd 1>&\"a/b\""}) {
    INFO(line);
    CHECK(understood(line));
  }
}

TEST_CASE("the subscripts in a list of values are evaluated, those of a map are not") {
  for (const char* line :
       {"y=(['a[$(rm a)]']=1)", "y=([$x]=1)", "x='a[$(rm a)]'; y+=([x]=1)", "declare y=([x]=1)",
        "declare -a y=([x]=1)", "declare y=([x]=1) -A", "y=([x]=1) declare -A z", "y=([x]+=1)"}) {
    INFO(line);
    CHECK_FALSE(understood(line));
  }
  for (const char* line :
       {"y=([0]=a [1]=b)", "i=1; y=([i]=a [$i]=b)", "declare -A y=([a]=1 [$b]=2 ['c[d]']=3)",
        "f() { local -A y=([a]=1); pwd; }; f", "y=('[a[b]]=1' \"[x]=$v\")"}) {
    INFO(line);
    CHECK(understood(line));
  }
}

TEST_CASE("braces are taken apart before anything else is read") {
  CHECK(runs("rmx=a; c=rm; $c{x,} b", "rm") == false);
  for (const char* line :
       {"c=ca; $c{t,t} a", "cat {$,x}HOME", "cat {~,a}b", "cat ~{root,a}", "c=a; cat $c{1..1}"}) {
    INFO(line);
    CHECK_FALSE(understood(line));
  }
  for (const char* line :
       {"cat src/{a,b}.ts", "x=src; cat $x/{a,b}", "x=src; cat ${x}{a,b}", "cat ~/{a,b}"}) {
    INFO(line);
    CHECK(understood(line));
  }
}

TEST_CASE("every way to set a special variable is seen") {
  for (const char* line :
       {"declare \"PATH=/tmp\"; ls", "typeset PATH=/tmp; ls", "local PATH=/tmp; ls",
        "for PATH in /tmp; do ls; done", "read -r PATH < a; ls", "f() { local PATH; read PATH < a; ls; }; f",
        "coproc PATH { pwd; }; ls", "exec {LD_PRELOAD}> a; ls", "printf -vPATH x; ls",
        "select PATH in /tmp; do ls; done"}) {
    INFO(line);
    CHECK_FALSE(understood(line));
  }
}

TEST_CASE("a value that an assignment cannot change is not known") {
  for (const char* line : {"readonly x=/etc/passwd; declare x=a; cat $x", "UID=a; cat $UID",
                           "x=/etc/passwd; local x=a; cat $x", "readonly x; f() { x=a; }; f; cat $x"}) {
    INFO(line);
    CHECK_FALSE(understood(line));
  }
  CHECK_FALSE(understood("declare x=a; cat $x", Shell::sh));
}

TEST_CASE("options that change how lines are read are not understood, others are") {
  for (const char* line :
       {"set -o history", "set -o keyword", "set +o braceexpand", "set -f", "set -o \"$v\"",
        "bash -o keyword -c pwd", "bash -o allexport -c pwd", "bash -O extglob -c pwd"}) {
    INFO(line);
    CHECK_FALSE(understood(line));
  }
  for (const char* line :
       {"set -euo pipefail; pwd", "set +e; pwd", "bash -euo pipefail -c pwd", "bash +x -c pwd"}) {
    INFO(line);
    CHECK(understood(line));
  }
}

TEST_CASE("a directory is where the kernel is, whichever way a line went there") {
  CHECK(told("pushd sub; pushd; cat a") == Told{"read ?", "run cat a"});
  CHECK(told("pushd -n sub && cat a") == Told{"read ?", "run cat a"});
  CHECK(told("pushd sub && cat a") == Told{"read /w/sub/a", "run cat a"});
  CHECK(told("cd -P sub && cd .. && cat a") == Told{"read /w/a", "run cat a"});
  const std::map<std::string, std::string> links{{"/w/l", "/etc/x"}};
  CHECK(told("cd -P l && cd .. && cat a", Shell::bash, links) == Told{"read /etc/a", "run cat a"});
  CHECK(told("cd l/.. && cat a", Shell::bash, links) == Told{"read /etc/a", "read /w/a", "run cat a"});
  // Where the line began may itself be reached by a link.
  CHECK(told("cd .. && cat a", Shell::bash, {{"/w", "/srv/w"}}) ==
        Told{"read /a", "read /srv/a", "run cat a"});
}

TEST_CASE("a command behind the words that a builtin knows is run") {
  for (const char* line : {"eval -- 'rm a'", "time -- rm a", "time -p -- rm a", "exec -aa rm a",
                           "exec -a x rm a", "jobs -x rm a", "mapfile -tC 'rm a' x < b", "bash +x -c 'rm a'",
                           "sh -c '$0 a' rm", "sh -c '\"$@\"' _ rm a", "flock f -c 'rm a'", "flock f rm a",
                           "watch rm a", "rm() { pwd; }; unset rm; rm a"}) {
    INFO(line);
    CHECK(runs(line, "rm"));
  }
  CHECK(told("sh -c 'cat \"$1\"' _ a") == Told{"read /w/a", "run cat a"});
  CHECK(told("bash -c 'cat a' rm") == Told{"read /w/a", "run cat a"});
}
