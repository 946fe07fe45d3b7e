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

TEST_CASE("names that the shell itself lists are read, whatever they are given to") {
  for (const char* line :
       {"echo ~/.ssh/*", "cd ~/.ssh && echo *", "printf '%s\\n' ~/.ssh/*", "for f in ~/.ssh/*; do pwd; done",
        "x=(~/.ssh/*)", "set -- ~/.ssh/*", "d=.ssh; echo ~/$d/*", "p='/home/dev/.ssh/*'; echo $p",
        "echo ~/.ssh/{*,a}", "f() { pwd; }; f ~/.ssh/*", "pwd ~/.ssh/*", "[ -e ~/.ssh/* ]",
        "echo \"$(echo ~/.ssh/*)\"", "export x ~/.ssh/*", "eval 'echo ~/.ssh/*'",
        "for f in a; do echo ~/.ssh/*; done", "cat <<E\n$(echo ~/.ssh/*)\nE"}) {
    INFO(line);
    const Told all = told(line);
    CHECK(std::find(all.begin(), all.end(), "read /home/dev/.ssh") != all.end());
  }
  CHECK(told("echo */a*") == Told{"read /w", "read /w/*", "run echo */a*"});
  CHECK(told("echo src/[a]/b") == Told{"read /w/src", "run echo src/[a]/b"});
  CHECK(told("shopt -s globstar; echo sub/**") == Told{"read /w/sub/", "run echo sub/**"});
  const auto effects = effects_of("echo .e*");
  const auto listed = std::find_if(effects.begin(), effects.end(),
                                   [](const Effect& effect) { return effect.kind == EffectKind::read; });
  REQUIRE(listed != effects.end());
  CHECK(listed->reach.listing);
  for (const char* line : {"echo '*' \"~/.ssh/*\"", "case a in /etc/*) pwd;; esac", "x=/etc/*",
                           "x=/etc/*; echo \"$x\"", "[[ a == /etc/* ]]", "echo [ a", "echo ${x#/etc/*}"}) {
    INFO(line);
    const Told all = told(line);
    CHECK(std::none_of(all.begin(), all.end(),
                       [](const std::string& each) { return each.starts_with("read"); }));
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

TEST_CASE("what a counter of the shell is given is a number") {
  for (const char* name : {"RANDOM", "SRANDOM", "SECONDS", "OPTIND", "HISTCMD"}) {
    const std::string given(name);
    for (const std::string& line : {given + "='a[$(rm a)]'",
                                    given + "='a[$(rm a)]' pwd",
                                    "x=1 " + given + "+='a[$(rm a)]'",
                                    given + "=$v",
                                    "export " + given + "='a[$(rm a)]'",
                                    "declare " + given + "=$v",
                                    "f() { local " + given + "=\"$v\"; }; f",
                                    "readonly " + given + "='a[`rm a`]'",
                                    "read " + given + " < a",
                                    "read -ra " + given + " < a",
                                    "for " + given + " in 'a[$(rm a)]'; do pwd; done",
                                    "for " + given + " in *; do pwd; done",
                                    "printf -v " + given + " %s 'a[$(rm a)]'",
                                    "mapfile -t " + given + " < a",
                                    "getopts a " + given,
                                    "coproc " + given + " { pwd; }",
                                    "select " + given + " in a; do pwd; done",
                                    given + "=('a[$(rm a)]')",
                                    ": ${" + given + ":='a[$(rm a)]'}",
                                    "trap '" + given + "=$v' EXIT",
                                    "let " + given + "=x"}) {
      INFO(line);
      CHECK_FALSE(understood(line.c_str()));
    }
  }
  for (const char* line :
       {"SECONDS=0; pwd", "OPTIND=1; pwd", "RANDOM=$$; pwd", "f() { local OPTIND opt; OPTIND=1; pwd; }; f",
        "while getopts ab opt; do pwd; done", "i=0; SECONDS=$((i+1))", "x='a[$(rm a)]'; pwd"}) {
    INFO(line);
    CHECK(understood(line));
  }
}

TEST_CASE("a list that is declared reads its value as code, wherever it was made a list") {
  for (const char* line :
       {"declare -a x='($(rm a))'", "typeset -A x='([a]=$(rm a))'", "readonly -a x=\"(\\$(rm a))\"",
        "v='($(rm a))'; declare -a x=$v", "f() { local -a x=\"$v\"; pwd; }; f",
        "x=(1); declare x='($(rm a))'", "x[1]=a; export x='($(rm a))'", "read -ra x < a; readonly x=\"$v\"",
        "declare DIRSTACK='($(rm a))'", "mapfile -t x < a; f() { local x=\"$v\"; pwd; }; f",
        "while pwd; do declare x=\"$v\"; x=(1); done", "trap 'declare x=\"$v\"' EXIT; x=(1)",
        "declare -a x; declare x+=\"$v\""}) {
    INFO(line);
    CHECK_FALSE(understood(line));
  }
  for (const char* line :
       {"f() { local x='(none)'; pwd; }; f", "x=(1); f() { local y=\"$1\"; pwd; }; f \"$v\"",
        "declare -a x=(1 2)", "x=(1); declare x=a", "x=(1); declare -a y=($v)"}) {
    INFO(line);
    CHECK(understood(line));
  }
}

TEST_CASE("each assignment of a command finds what those before it have set") {
  CHECK(told("x=a; x=b y=$x; cat $y") == Told{"read /w/b", "run cat b"});
  CHECK(told("x=a; x=b y=$x pwd; cat $x") == Told{"read /w/a", "run cat a", "run pwd?"});
  CHECK(told("x=a; x=b cat $x > $x") == Told{"read /w/a", "run cat a?", "write /w/a"});
  CHECK(told("x=a; x=b > $x") == Told{"write /w/b"});
  CHECK_FALSE(understood("x=a; x=b > $x", Shell::sh));
  CHECK_FALSE(understood("x=a; x=b export y=$x; cat $y"));
}

TEST_CASE("a locale leaves quotes what they are, and nothing is translated") {
  for (const char* line :
       {"LC_ALL=zh_CN.GBK\npwd", "LANG=ja_JP.SJIS; pwd", "export LC_CTYPE=zh_TW.BIG5", "LC_ALL=zh_TW pwd",
        "for LC_ALL in zh_CN.GBK; do pwd; done", "read LANG < a", "LC_ALL=$v; pwd",
        "LC_ALL=zh_CN.GBK eval pwd", "env LC_ALL=zh_HK.BIG5-HKSCS bash -c pwd", "declare LC_ALL=zh_CN.GBK",
        "TEXTDOMAIN=m", "export TEXTDOMAINDIR=a", "for TEXTDOMAIN in a; do pwd; done",
        "env TEXTDOMAIN=m bash -c pwd", "printf -v LC_ALL %s zh_CN.GBK"}) {
    INFO(line);
    CHECK_FALSE(understood(line));
  }
  for (const char* line :
       {"LC_ALL=C sort a > b", "export LC_ALL=C.UTF-8; pwd", "LANG=en_US.UTF-8 pwd",
        "export LANG=C LC_ALL=C; pwd", "LC_ALL=POSIX; pwd", "unset LC_ALL; pwd", "LC_ALL= pwd",
        "env LC_ALL=de_DE.utf8 pwd", "LC_CTYPE=en_US pwd", "LC_COLLATE=C ls", "export PAGER=cat; pwd"}) {
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
