#include "policy/command/awk_program.hpp"

#include <string>

#include "tests/catch.hpp"
#include "tests/policy/command/shown.hpp"

using policy::command::read_awk_program;

namespace {

std::string read(std::string_view program) { return script_tests::shown(read_awk_program(program)); }

constexpr const char* not_understood = "? an awk program that is not understood";
constexpr const char* computes = "? an awk program that runs what it computes, or connects";
constexpr const char* names = "? an awk program that computes the name of a file, or connects";

}  // namespace

TEST_CASE("an awk program that only computes and prints does nothing else") {
  for (const char* program : {"",
                              "1",
                              "{print $1}",
                              "NR>1 {print $2, $3}",
                              "$3 > 100",
                              "$3>100&&$4 >= 2",
                              "/w/ {next}",
                              "!seen[$0]++",
                              "BEGIN{FS=\",\"} {s+=$3} END{printf \"%d\\n\", s}",
                              "{ if ($1 > 5) print }",
                              "{print ($1 > $2)}",
                              "{print($1 > $2, \"> f\")}",
                              "{ print $1 # > \"f\"\n}",
                              "/> f/ { print \"> \\\"f\\\"\" }",
                              "{ x = $1 / $2 / 3; print x }",
                              "{ x /= 2 }",
                              "$0 ~ /[/]/",
                              "{ sub(/[^/]+$/, \"\"); print }",
                              "{ gsub(/\\[[^\\]]*\\]/, \"\"); print }",
                              "/[[:space:]/]+/",
                              "{ print /a/ ? \"y\" : \"n\" }",
                              "FILENAME == ARGV[1] { a[$1]; next } $1 in a",
                              "NR==FNR{a[$1]=$2;next} ($1 in a){print a[$1]}",
                              "{ print > \"/dev/stderr\" }",
                              "{ printf(\"%s\\n\", $1) > \"/dev/stdout\" }",
                              "function f(a,\n  b) { return a > b }\n{ print f($1, $2) }",
                              "{ while ((getline line) > 0) n++ }",
                              "{ getline < \"-\"; getline; getline x; getline a[1]; getline $2 }",
                              "{ print \\\n $1 }",
                              "BEGIN { while (i++ < 3) { if (i > 2) print i; else print -i } }",
                              "{ for (k in a) if (a[k] > m) m = a[k] }",
                              "{ do i++; while (i < 3) }",
                              "BEGIN { print ENVIRON[\"HOME\"] }",
                              "BEGIN { exit ARGC < 2 }",
                              "{ close(\"f\"); fflush(); system(\"\") }",
                              "BEGIN{OFS=\"\\t\"}{$1=$1}1",
                              "/a/,/b/",
                              "END{print NR}",
                              "{ print substr($0, 2), toupper($1) }",
                              "length($0) > 80",
                              "{ print a[$1] / 2 }",
                              "{ x = y++ / 2 }",
                              "{ if (x) /re/ ? y : z }",
                              "BEGIN { PROCINFO[\"sorted_in\"] = \"@ind_str_asc\" }"}) {
    INFO(program);
    CHECK(read(program).empty());
  }
}

TEST_CASE("an awk program names the files it reads and writes, where they are literal") {
  CHECK(read("{print > \"out\"}") == "w out");
  CHECK(read("{print $1, ($2 > 3) > \"out\"; print >> \"log\"}") == "w out w log");
  CHECK(read("{printf(\"%s\", $1) > \"o\\x\"}") == names);
  CHECK(read("{printf \"%s\", $1 > \"a\\tb\\061\"}") == "w a\tb1");
  CHECK(read("{print a[1] > \"out\"} # > \"x\"") == "w out");
  CHECK(read("{print a ?\n b : c > \"out\"}") == "w out");
  CHECK(read("{print a &&\n b > \"out\"}") == "w out");
  CHECK(read("/\"/{print > \"out\"}") == "w out");
  CHECK(read("{if (x) /\"/ ? y : z; print > \"out\"}") == "w out");
  CHECK(read("{x = 1 / 2; print > \"out\" /* / */}") == names);
  CHECK(read("/[/\"]/{print > \"out\"}") == "w out");
  CHECK(read("{print > \"-\"}") == "w -");
  CHECK(read("{getline < \"in\"}") == "r in");
  CHECK(read("{while ((getline line < \"in\") > 0) a[line]}") == "r in");
  CHECK(read("{getline a[n++] < \"in\"; getline $(NF + 1) < \"in2\"}") == "r in r in2");
  for (const char* program :
       {"{print > $1}", "{print > $1 \".txt\"}", "{print > \"a\" \".txt\"}", "{print > (\"a\" i)}",
        "{print > f}", "{print >> FILENAME \".bak\"}", "{getline < \"in\" i}", "{getline x < f}",
        "{getline < ARGV[1]}", "{print > \"\"}", "BEGIN{getline < \"/inet/tcp/0/h/80\"}",
        "{print > \"/inet/udp/0/h/80\"}", "{print $1 > $2 > $3}"}) {
    INFO(program);
    CHECK(read(program) == names);
  }
}

TEST_CASE("an awk program names the lines it runs, where they are literal") {
  CHECK(read("{print | \"sort -u\"}") == "l sort -u");
  CHECK(read("{print ($1 | 2)}") == not_understood);
  CHECK(read("BEGIN{\"date\" | getline d}") == "l date");
  CHECK(read("BEGIN{while ((\"ls -l\" | getline line) > 0) print line}") == "l ls -l");
  CHECK(read("{x = \"date\" | getline}") == "l date");
  CHECK(read("{print |& \"sort\"; \"sort\" |& getline x}") == "l sort l sort");
  CHECK(read("BEGIN{system(\"rm -rf x\")}") == "l rm -rf x");
  CHECK(read("BEGIN{if (system(\"test -f \\\"x\\\"\") == 0) exit}") == "l test -f \"x\"");
  CHECK(read("{print > \"a\"; print | \"b\"; getline < \"c\"}") == "r c w a l b");
  for (const char* program :
       {"{print | \"sort \" $1}", "{print | c}", "{$1 | getline}", "{\"a\" \"b\" | getline}",
        "{(\"a\" x) | getline}", "{system($0)}", "{system(\"a\" $1)}", "{system(\"a\\x41\")}", "{system}",
        "BEGIN{\"/inet/tcp/0/h/80\" |& getline}", "{print |& \"/inet/tcp/0/h/80\"}", "{x \"date\" | getline}",
        "{if (x) \"date\" | getline}"}) {
    INFO(program);
    CHECK(read(program) == computes);
  }
  CHECK(read("BEGIN{ENVIRON[\"PATH\"] = \".\"; system(\"ls\")}") ==
        "l ls ? an awk program that runs commands and uses its environment");
}

TEST_CASE("an awk program that reaches for more than it names is opaque") {
  for (const char* program :
       {"BEGIN{ARGV[1] = \"/etc/shadow\"}", "BEGIN{ARGV[ARGC++] = \"x\"}", "BEGIN{ARGC = 2}",
        "BEGIN{delete ARGV[1]}", "BEGIN{split(\"a b\", ARGV)}", "BEGIN{getline ARGV[1] < \"f\"}",
        "BEGIN{++ARGV[1] == 2}", "BEGIN{sub(/a/, \"b\", ARGV[1])}",
        "BEGIN{f(ARGV)} function f(a) {a[1] = \"x\"}", "@include \"lib\"\n{print}",
        "@load \"readfile\"\n{print}", "BEGIN{f = \"system\"; @f(\"ls\")}", "BEGIN{awk::system(\"ls\")}",
        "BEGIN{SYMTAB[\"x\"] = 1}", "BEGIN{extension(\"./x.so\", \"init\")}"}) {
    INFO(program);
    CHECK_FALSE(read_awk_program(program).opaque.empty());
  }
}

TEST_CASE("an awk program that an awk would refuse, or read in two ways, is not understood") {
  for (const char* program : {"{print",
                              "{print \"a}",
                              "{print \"a\n\"}",
                              "/a",
                              "{print)}",
                              "(}",
                              "{x = (1\n+ 2)}",
                              "print > \"f\"",
                              "{print a +\n b > \"f\"}",
                              "{print print}",
                              "{x[1>2] | y}",
                              "{print x[1>2]}",
                              "{a >> \"f\"}",
                              "{length / 2 > \"f\" / 3}",
                              "{getline / 2}",
                              "# c \\\n{print}",
                              "{print \\x}",
                              "{print 'a'}",
                              "{print $1\r\n}",
                              "/[[:x/]/",
                              "/[\\][]/",
                              "/[\\]/]/",
                              "{getline x + 1}",
                              "{print {}}",
                              "{&}"}) {
    INFO(program);
    CHECK(read(program) == not_understood);
  }
  CHECK(read(std::string_view("1\0", 2)) == not_understood);
  CHECK(read("{print \"\xe9\\\" > \"f\"}") == not_understood);
  CHECK(read(std::string(policy::command::script_bytes_max + 1, '1')) == "? an awk program that is too long");
  CHECK(read(std::string(60'000, '(')) == not_understood);
}
