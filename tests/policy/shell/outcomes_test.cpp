// What a line may come to where a shell does not do all that stands there.
#include "tests/catch.hpp"
#include "tests/policy/command/commands.hpp"

using namespace policy;
using namespace policy_tests;

using Told = std::vector<std::string>;

namespace {

bool has(const Told& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// Whether the `cat $x` at the end of the line may read anything but the file `b`.
bool may_read_more(const std::string& line, Shell shell = Shell::bash) {
  const Told all = told(line, shell);
  return has(all, "read ?") || has(all, "read /w/a") || !has(all, "read /w/b") || has(all, "run cat $x?");
}

}  // namespace

TEST_CASE("what a file is opened for is done or not done at all") {
  for (const std::string to :
       {"< in", "> sub/out", ">> out", "<> out", "> $HOME/out", "3< in", "2> out", "&> out"}) {
    for (const std::string command :
         {"{ x=b; }", "if pwd; then x=b; fi", "while pwd; do x=b; break; done", "for x in b; do pwd; done",
          "case a in a) x=b;; esac", "eval x=b", "command eval x=b", "declare x=b", "export x=b", "f"}) {
      const std::string line = "f() { x=b; }; x=a; " + command + " " + to + "; cat $x";
      INFO(line);
      CHECK(may_read_more(line));
    }
    for (const std::string& line :
         {"f() { x=b; } " + to + "; x=a; f; cat $x", "set -- a; set -- b " + to + "; cat $1",
          "set -- a b; shift " + to + "; cat $1"}) {
      INFO(line);
      CHECK_FALSE(told(line) == Told{"read /w/b", "run cat b"});
      CHECK((has(told(line), "read ?") || has(told(line), "read /w/a")));
    }
    const std::string left = "{ cd sub || exit; } " + to + "; cat b";
    INFO(left);
    CHECK(has(told(left), "read /w/b"));
    CHECK(has(told("f() { exit; }; cd sub || f " + to + "; cat b"), "read /w/b"));
  }
}

TEST_CASE("what opens for sure is done") {
  for (const char* to : {"2>&1", ">&2", "> /dev/null", "> /dev/null 2>&1", "&> /dev/null", "< /dev/null",
                         "<<< b", "2> /dev/null"}) {
    for (const char* command : {"{ x=b; }", "f", "eval x=b", "declare x=b", "for x in b; do pwd; done"}) {
      const std::string line = std::string("f() { x=b; }; x=a; ") + command + " " + to + "; cat $x";
      INFO(line);
      CHECK_FALSE(may_read_more(line));
    }
    CHECK_FALSE(has(told(std::string("{ cd sub || exit; } ") + to + "; cat b"), "read /w/b"));
  }
  CHECK_FALSE(may_read_more("x=a; { x=b; } <<E\nb\nE\ncat $x"));
}

TEST_CASE("a descriptor that may be closed or too many does not open for sure") {
  for (const char* line :
       {"exec 1>&-; x=a; { x=b; } 2>&1; cat $x", "ulimit -n 3; x=a; { x=b; } 2> /dev/null; cat $x",
        "ulimit -n 0; x=a; { x=b; } <<< b; cat $x", "x=a; { x=b; } 2000> /dev/null; cat $x",
        "exec 2>&1-; x=a; { x=b; } >&1; cat $x",
        "x=a; while pwd; do { x=b; } 2>&1; exec >&-; break; done; cat $x", "x=a; { x=b; } 2>&7; cat $x"}) {
    INFO(line);
    CHECK(may_read_more(line));
  }
}

TEST_CASE("where an expansion may fail the rest of the line may not be done") {
  for (const char* failing : {"$((1/0))", "$((1%$#))", "$((08))", "$((1+))", "$((2#9))", "${PWD:0:-99}",
                              "${PWD:1:$#-9}", "${y:?}", "${y?none}", "$((1/$?))", "$[1/0]", "\"$((1/0))\"",
                              "${y:-$((1/0))}", "${y[]}", "$((x[))", "${@:1:-2}"}) {
    const std::string word(failing);
    for (const std::string& line :
         {"x=a\n: " + word + "; x=b\ncat $x", "x=a\ny=" + word + "; x=b\ncat $x",
          "x=a\npwd > " + word + "; x=b\ncat $x", "x=a\n{ : " + word + "; x=b; }\ncat $x",
          "x=a\nf() { : " + word + "; }; f; x=b\ncat $x",
          "x=a\nfor i in " + word + "; do pwd; done; x=b\ncat $x",
          "x=a\ncase " + word + " in a) ;; esac; x=b\ncat $x", "x=a; eval ': " + word + "; x=b'; cat $x",
          "x=a; eval ': " + word + "; x=b\npwd'; cat $x",
          "f() { local x=b; : " + word + "; }; x=a; f\ncat $x"}) {
      INFO(line);
      CHECK(may_read_more(line));
    }
    INFO(word);
    CHECK(has(told("cd sub || exit " + word + "\ncat b"), "read /w/b"));
    CHECK(has(told("true " + word + " && { cd sub || exit; }\ncat b"), "read /w/b"));
  }
  // Outside of this shell, or on the same line, nothing goes on.
  for (const char* line :
       {"x=a\n(: $((1/0))); x=b\ncat $x", "x=a\ny=$(: $((1/0))); x=b\ncat $x",
        "x=a\n: $((1/0)) | pwd; x=b\ncat $x", "x=a; : $((1/0)); x=b; cat $x", "x=a\nx=b; : $((1/0))\ncat $x",
        "x=a\nset -- 1 2; i=1; : $((i + 2 * (i - 1) / 2)); x=b\ncat $x",
        "x=a\n: ${PWD:0:1} ${PWD: -4} ${PWD:2} ${y:-b} ${#y} $((0)); x=b\ncat $x",
        "x=a\ni=0; : $((i++)) $((i += 1)) $((i < 3 && i != 2)); x=b\ncat $x"}) {
    INFO(line);
    CHECK_FALSE(may_read_more(line));
  }
}

TEST_CASE("where a variable cannot be set the rest of the line may not be done") {
  for (const char* line :
       {"x=a\nUID=1; x=b\ncat $x", "x=a\nreadonly r=1\nr=2; x=b\ncat $x", "x=a\nPPID=1 x=b\ncat $x",
        "x=a\nSHELLOPTS=b; x=b\ncat $x", "x=a\ndeclare -r r\nr+=2; x=b\ncat $x",
        "x=a\nEUID=$((1)); x=b\ncat $x", "x=a\nreadonly r\n: $((r=1)); x=b\ncat $x",
        "x=a\nreadonly r\nf() { r=1; }; f; x=b\ncat $x",
        "x=a\nwhile pwd; do r=1; x=b; readonly r; break; done\ncat $x", "x=a\ny[-5]=1; x=b\ncat $x",
        "shopt -s failglob\nx=a\npwd zz*; x=b\ncat $x", "x=a; for UID in 1; do x=b; done; cat $x"}) {
    INFO(line);
    CHECK(may_read_more(line));
  }
  CHECK(has(told("f() { pwd; }\nUID=1; cd sub || exit\ncat b"), "read /w/b"));
  for (const char* line :
       {"x=a\nreadonly r=1\nx=b\ncat $x", "x=a\nreadonly x=b\ncat $x", "x=a\ny[1]=1; x=b\ncat $x"}) {
    INFO(line);
    CHECK_FALSE(may_read_more(line));
  }
}

TEST_CASE("an option or a shell that does not do it leaves what was") {
  for (const char* line :
       {"x=a; declare -f x=b; cat $x", "x=a; declare -F x=b; cat $x", "x=a; typeset -p x=b; cat $x",
        "x=a; declare -Z x=b; cat $x", "x=a; declare +Z x=b; cat $x", "x=a; export -p x=b; cat $x",
        "x=a; readonly -f x=b; cat $x", "x=a; f() { local -p x=b; cat $x; }; f",
        "x=a; declare --help x=b; cat $x", "f() { local x=a; declare -g x=b; cat $x; }; f",
        "x=a; eval --help 'x=b'; cat $x", "x=a; eval -x 'x=b'; cat $x", "x=a; command -x eval x=b; cat $x",
        "x=a; builtin -x eval x=b; cat $x", "x=a; exec -z; x=a; cat $x",
        "x=a; select x in b; do break; done; cat $x", "x=a; select x in b; do pwd; done <<< 1; cat $x"}) {
    INFO(line);
    CHECK(may_read_more(line));
  }
  for (const char* line :
       {"x=a; declare -r x=b; cat $x", "x=a; export x=b; cat $x", "x=a; f() { local -r x=b; cat $x; }; f",
        "x=a; eval -- x=b; cat $x", "x=a; command -p eval x=b; cat $x", "x=a; time x=b; cat $x"}) {
    INFO(line);
    CHECK_FALSE(may_read_more(line));
  }
  for (const char* line : {"time eval x=b", "time export x=b"}) {
    INFO(line);
    CHECK(may_read_more(std::string("x=a; ") + line + "; cat $x", Shell::sh));
  }
  for (const char* line : {"cd sub || time exit; cat b", "time cd sub || exit; cat b"}) {
    INFO(line);
    CHECK(has(told(line, Shell::sh), "read /w/b"));
  }
  CHECK(has(told("f() { pwd; }; readonly -f f; f() { cd sub || exit; }; f; cat b"), "read /w/b"));
  CHECK(has(told("f() { pwd; }; declare -fr f; f() { cd sub || exit; }; f; cat b"), "read /w/b"));
  CHECK(has(told("cd --help sub || exit; cat b"), "read /w/b"));
}

TEST_CASE("an assignment before a builtin may be seen by what it runs, and stay") {
  for (const char* line :
       {"TZ=b; TZ=a eval 'cat $TZ'", "TZ=b; TZ=a command eval 'cat $TZ'", "TZ=b; TZ=a exec; cat $TZ",
        "TZ=b; TZ=a :; cat $TZ", "TZ=b; TZ=a export LANG=C; cat $TZ"}) {
    INFO(line);
    CHECK(has(told(line, Shell::sh), "read ?"));
  }
  CHECK_FALSE(has(told("x=b; x=a exec; cat $x", Shell::sh), "run cat b"));
}

TEST_CASE("the working directory's name is what a line has made of it") {
  CHECK(has(told("PWD=/etc; cat ~+/b"), "read /etc/b"));
  CHECK(told("cat ~+/b") == Told{"read /w/b", "run cat /w/b"});
  CHECK(has(told("readonly PWD=/etc; cd sub; cat $PWD/b"), "read ?"));
  CHECK(told("cd sub && cat $PWD/b") == Told{"read /w/sub/b", "run cat /w/sub/b"});
}

TEST_CASE("what stands inside backquotes and here-documents is read as elsewhere") {
  for (const std::string line :
       {"c=ca; ct=rm; $c{t,t} a", "LD_PRELOAD=a pwd", "c=ca; cat $c{1..1}", "cat ~{root,a}"}) {
    for (const std::string& nested :
         {line, "echo `" + line + "`", "cat <<E\n$(" + line + "\n)\nE", "cat <<E\n`" + line + "`\nE",
          "echo \"`" + line + "`\"", "echo `echo \\`" + line + "\\``"}) {
      INFO(nested);
      const auto effects = effects_of(nested);
      CHECK(std::any_of(effects.begin(), effects.end(), [](const Effect& effect) { return effect.opaque; }));
    }
  }
}
