// What runs another command: what of it is seen through it.

#include "policy/decide.hpp"
#include "tests/policy/command/catalogue.hpp"
#include "tests/policy/verdicts.hpp"

using namespace policy;
using namespace policy_tests;

namespace {

Tier tier(const std::string& line) {
  const DescribedFiles files;
  const policy::Policy policy = load(
      "default = \"ask\"\n[[allow]]\nid = \"a\"\nrun = [\"*\"]\nread = [\"**\"]\n"
      "[[deny]]\nid = \"d\"\nrun = [\"rm\", \"git push\"]\n"
      "[tools.\"files/t\"]\nrun = \"/run\"\nshell = \"bash\"\n");
  base::json::Value arguments;
  arguments["run"] = line;
  return policy.judge(call("t", arguments.dump()), scene(files)).tier;
}

}  // namespace

TEST_CASE("a deny sees a command through what runs it") {
  for (const char* line : {"choom -n 5 -- rm x",
                           "linux64 rm x",
                           "setarch x86_64 -R rm x",
                           "setarch -R rm x",
                           "tini -- rm x",
                           "dumb-init rm x",
                           "sshpass -p a rm x",
                           "setuidgid u rm x",
                           "su-exec u rm x",
                           "softlimit -m 1 rm x",
                           "faketime 2020-01-01 rm x",
                           "eatmydata rm x",
                           "chronic rm x",
                           "ifne rm x",
                           "envdir d rm x",
                           "pee 'rm x'",
                           "find a -exec env rm {} \\;",
                           "find a -exec sh -c 'rm x' \\;",
                           "find a -exec sh -c 'rm {}' \\;",
                           "find a -exec timeout 1 rm {} +",
                           "find \"$A\" -exec rm {} \\;",
                           "xargs -I{} sh -c 'rm {}'",
                           "xargs -I{} rm {}",
                           "env a-b=1 rm x"}) {
    INFO(line);
    CHECK(tier(line) == Tier::deny);
  }
}

TEST_CASE("a deny that the words of an unknown program may meet asks") {
  for (const char* line : {"foo rm x", "./foo -x 5 /bin/rm x", "foo --run 'rm x'", "foo -c 'cd a && rm x'",
                           "foo 'env rm x'", "foo -- git -C a push", "foo -- rm", "foo --exec rm x",
                           "doas a=1 rm x", "foo 'env -u A nice rm x'"}) {
    INFO(line);
    CHECK(tier(line) == Tier::ask);
  }
  for (const char* line :
       {"foo x", "foo rmdir x", "foo --rm x", "foo git status", "foo -m 'say rm x'", "foo 'do not rm x'",
        "foo src/rm.c", "foo --on-error rm", "foo --on-error rm -v"}) {
    INFO(line);
    CHECK(tier(line) == Tier::allow);
  }
}

TEST_CASE("words in which xargs replaces something are not known") {
  check_open({"xargs -Iecho timeout 1 echo", "xargs -Istatus git status", "xargs -I s git s",
              "xargs --replace=s git s", "xargs -i git {}", "xargs --replace git {}", "xargs -I{} cat -{}",
              "xargs -Il sh -c ls", "xargs -I\"$A\" git status"});
  CHECK(allowed("xargs -I{} echo a{}", "xargs"));
  CHECK(allowed("xargs -I{} echo status", "xargs"));
}

TEST_CASE("whatever stands before a sign is a variable to env and sudo") {
  check_open({"env a-b=1 ls", "env 'BASH_FUNC_ls%%=() { id; }' bash -c ls", "env a.b=1 ls", "env /a=1 ls",
              "env =1 ls", "sudo a-b=1 ls"});
  CHECK(denied("env a-b=1 rm x", "rm"));
  CHECK(denied("env /a=1 rm x", "rm"));
  CHECK(allowed("env NODE_ENV=test ls a=b", "ls"));
}

TEST_CASE("a value glued to an option behind a sign may begin behind it") {
  check_open({"make -C=/a", "rg -f=/a x", "grep -f=/a x", "sort -o=/a b"});
  check_understood({"cut -d= -f1 a", "sort -k=1 a", "make -C a", "sort -t= a"});
  CHECK(effects_of("npm test -C=/a").front().command.directory == "/a");
}

TEST_CASE("a page that is a file is not a page of a name") {
  check_open({"man ./a", "man a/b.1", "man -l a", "man \"$A\"", "man -L ../../a ls", "man -s ../a ls",
              "groff a", "nroff -man a", "soelim a", "tbl a", "mandoc a"});
  check_understood({"man ls", "man 3 printf", "man -k printf", "man -s 3 printf", "man git-log"});
}
