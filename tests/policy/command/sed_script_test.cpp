#include "policy/command/sed_script.hpp"

#include <string>

#include "tests/catch.hpp"
#include "tests/policy/command/shown.hpp"

using policy::command::read_sed_script;

namespace {

std::string read(std::string_view script) { return script_tests::shown(read_sed_script(script)); }

constexpr const char* not_understood = "? a sed script that is not understood";

}  // namespace

TEST_CASE("a sed script that only edits does nothing else") {
  for (const char* script : {"",
                             "p",
                             "1,5p",
                             "$d",
                             "5q",
                             "10Q;l 3",
                             "s/a/b/",
                             "s/a/b/gI;s/c/d/3p",
                             "/a/,/b/d",
                             "\\,/w,p",
                             "0~3d",
                             "2,+4p",
                             "2,~4p",
                             "0,/x/d",
                             "1!G;h;$!d",
                             "/x/I!{s/a/b/;p}",
                             "/x/{n;d}",
                             ":a;N;$!ba;s/\\n/ /g",
                             ": a b\nta",
                             "T x;:x",
                             "y/abc/xyz/",
                             "y/a\\/b/xyz/;p",
                             "a hello; w there",
                             "i\\\nw a\\\nw b\np",
                             "c\\w text",
                             "# w file\np",
                             "p # e ls",
                             "#n\np",
                             "s/[/]/x/",
                             "s/[]/]/x/",
                             "s/[^]/]/w/",
                             "s/[[:alpha:]/]/x/",
                             "s/\\[w f/x/",
                             "s,a\\,b,c,",
                             "s|\\||w|",
                             "s/a/\\\nw x/",
                             "/a\\/w b/d",
                             "=",
                             "v 4.2",
                             "{p;p}",
                             "{{p}}",
                             "s/x/y/;;p",
                             "F;z;x;D;P;H;g",
                             "w /dev/stdout",
                             "s/a/b/w /dev/stderr",
                             "R /dev/stdin",
                             "s/é/e/"}) {
    INFO(script);
    CHECK(read(script).empty());
  }
}

TEST_CASE("a sed script names the files it reads and writes, to the end of the line") {
  CHECK(read("w out") == "w out");
  CHECK(read("/x/ w  out; p}") == "w out; p}");
  CHECK(read("s/a/b/w out") == "w out");
  CHECK(read("s/a/b/gpw out\nr in") == "r in w out");
  CHECK(read("0r head\n$R tail\nW first") == "r head r tail w first");
  CHECK(read("s/[/]/x/w f") == "w f");
  CHECK(read("s/[^]/]/x/w f") == "w f");
  CHECK(read("s/[\\]/x/w f") == "w f");
  CHECK(read("s/\\[/x/w f") == "w f");
  CHECK(read("sxaxbxw f") == "w f");
  CHECK(read("a text\nw f") == "w f");
  CHECK(read("a text\\\nw f\nw g") == "w g");
  CHECK(read("a\\\n\\\nw f") == "");
  CHECK(read(":a;w f") == "w f");
  CHECK(read("b}w f") == not_understood);
  CHECK(read("{b}\nw f") == "w f");
  CHECK(read("# a comment\\\nw f") == "w f");
  CHECK(read("w /dev/stdout\nw /dev/stdout2") == "w /dev/stdout2");
}

TEST_CASE("a sed script that runs something says what, or that it is not known") {
  CHECK(read("e ls -l; w x") == "l ls -l; w x");
  CHECK(read("1e date") == "l date");
  CHECK(read("e") == "? a sed script that runs the text it reads");
  CHECK(read("/x/e\np") == "? a sed script that runs the text it reads");
  CHECK(read("e ls \\\n-l") == "? a sed script that runs a command with a backslash");
  CHECK(read("s/a/b/e") == "? a sed script that runs what a substitution makes");
  CHECK(read("s/a/b/ge;w f") == "w f ? a sed script that runs what a substitution makes");
  CHECK(read("s/a/b/pew f") == "w f ? a sed script that runs what a substitution makes");
}

TEST_CASE("a sed script that sed would refuse is not understood") {
  for (const char* script : {"k",    "p p", "s/a/b",   "s/a",     "s/[/b/",    "y/a/b/c",   "{p", "p}",
                             "1,p",  "+3p", "!!p",     "1",       ":",         "1:a",       "1}", "1#",
                             "w",    "r ",  "s/a/b/w", "s/a/b/x", "s\\a\\b\\", "s\na\nb\n", "0p", "0,3p",
                             "1,2q", "a",   "/a",      "dw f",    "}w f",      "s/a/b/ w"}) {
    INFO(script);
    CHECK(read(script) == not_understood);
  }
  CHECK(read(std::string_view("p\0w f", 5)) == not_understood);
  CHECK(read("s\xe9/a\xe9/b\xe9/") == not_understood);
  // Where the locale is GBK, the second byte of a character may be a backslash: the delimiter after it
  // counts.
  CHECK(read("s/x/\xe9\\/w f") == not_understood);
  CHECK(read("s|\xe9|w f|") == not_understood);
  CHECK(read(std::string(policy::command::script_bytes_max + 1, 'p')) == "? a sed script that is too long");
}
