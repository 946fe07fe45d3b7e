#include "policy/command/match_command.hpp"

#include "tests/policy/command/commands.hpp"

using namespace policy;
using namespace policy_tests;

TEST_CASE("a denied program is found wherever it may run") {
  for (const char* line : {"rm -rf x",
                           "/bin/rm x",
                           "./rm x",
                           "sudo rm x",
                           "sudo -u root -n -- rm x",
                           "env rm x",
                           "env A=/b rm x",
                           "env -S 'rm x'",
                           "env '-Srm x'",
                           "timeout -k 5 30 rm x",
                           "nice -n 5 rm x",
                           "xargs -0 rm",
                           "sh -c 'rm x'",
                           "bash -ec 'rm x'",
                           "bash -c \"bash -c 'rm x'\"",
                           "env env sh -c 'rm x'",
                           "watch -n1 'rm x'",
                           "busybox rm x",
                           "find . -exec rm {} +",
                           "git -c alias.x='!rm x' x",
                           "true; rm x",
                           "ls && rm x",
                           "echo $(rm x)",
                           "r\\m x",
                           "'r'm; x",
                           "$'\\x72\\x6d' x",
                           "rm${IFS}x",
                           "{rm,x}",
                           "eval 'rm x'",
                           "exec rm x",
                           "FOO=1 rm x",
                           "ionice -c3 taskset 1 rm x"})
    CHECK(denied(line, "rm"));
}

TEST_CASE("a program with `=` in its path is found behind wrappers that take no assignments") {
  CHECK(denied("timeout 5 x=/../../bin/rm -rf y", "rm"));
  CHECK(denied("nohup x=/rm y", "rm"));
  CHECK(denied("timeout 5 a=b c", "a=b"));
  CHECK_FALSE(denied("sudo A=/bin/rm ls", "rm"));
}

TEST_CASE("an allow need not know options that change nothing, and must spell out those that change all") {
  CHECK(allowed("git --no-pager diff x", "git diff"));
  CHECK(allowed("git -P --no-optional-locks log", "git log"));
  CHECK(allowed("git --no-pager diff", "git --no-pager diff"));
  CHECK_FALSE(allowed("git --no-pager push", "git diff"));
  CHECK_FALSE(allowed("git --literal-pathspecs diff", "git diff"));
  CHECK_FALSE(allowed("git diff --no-pager", "git diff"));
  CHECK(allowed("git branch x", "git branch"));
  for (const char* pattern : {"git branch -d", "git branch -d *", "git branch {-d,-D}"})
    CHECK(allowed("git branch -d x", pattern));
  for (const char* pattern : {"git branch", "git branch *", "git *", "git branch -D", "git branch * x"})
    CHECK_FALSE(allowed("git branch -d x", pattern));
  CHECK_FALSE(allowed("git branch x -d y", "git branch -d"));
  CHECK_FALSE(allowed("git branch x -d y", "git branch x"));
  CHECK_FALSE(allowed("git branch -dr x", "git branch -d"));
  CHECK_FALSE(allowed("git --no-pager branch -d x", "git branch"));
  CHECK_FALSE(allowed("git branch -d x -f", "git branch -d"));
  CHECK(allowed("git tag -d x", "git tag -d"));
  CHECK_FALSE(allowed("git tag -d x", "git tag"));
}

TEST_CASE("a denied subcommand is found past options") {
  CHECK(denied("git -C dir push origin", "git push"));
  CHECK(denied("git --no-pager -c a=b push", "git push"));
  CHECK(denied("true; git -C dir push", "git push"));
  CHECK_FALSE(denied("git log push", "git push"));
  std::string padded = "git";
  for (std::size_t i = 0; i < command::options_skipped_max + 2; ++i) padded += " -p";
  CHECK(denied(padded + " push", "git push"));
}

TEST_CASE("words inside data do not count as programs of a plain line") {
  CHECK_FALSE(denied("git commit -m 'why rm is denied'", "rm"));
  CHECK_FALSE(denied("ls src/rm-utils", "rm"));
  CHECK_FALSE(denied("grep -r \"rm -rf\" docs", "rm"));
}

TEST_CASE("an allow looks through transparent wrappers only") {
  for (const char* line :
       {"git status", "/usr/bin/git status", "timeout 5 git status", "nice git status", "env git status",
        "nohup nice -n 5 git status", "sh -c 'git status'", "timeout 5s sh -c 'git status'",
        "timeout -s KILL 5 git status", "bash -lc 'git status'"}) {
    INFO(line);
    CHECK(allowed(line, "git status"));
  }
  for (const char* line : {"sudo git status", "./git status", "/tmp/git status", "env A=b git status",
                           "env -i git status", "git -C x status", "git\u200b status", "xargs git status",
                           "bash -ic 'git status'", "sh -c 'git status; x'", "git"}) {
    INFO(line);
    CHECK_FALSE(allowed(line, "git status"));
  }
  CHECK(allowed("sudo git status", "sudo git status"));
}

TEST_CASE("elevation is seen behind wrappers and in lines that are not understood") {
  const auto elevated = [](const char* line) {
    const auto effects = effects_of(line);
    return std::any_of(effects.begin(), effects.end(),
                       [](const Effect& effect) { return effect.command.elevated; });
  };
  CHECK(elevated("sudo ls"));
  CHECK(elevated("timeout 5 doas ls"));
  CHECK(elevated("sh -c 'sudo ls'"));
  CHECK(elevated("ls; /usr/bin/sudo ls"));
  CHECK_FALSE(elevated("echo sudo"));
}

TEST_CASE("deep and wide wrapping costs linear time") {
  std::string line;
  for (int i = 0; i < 20'000; ++i) line += "env -u a sudo -b ";
  CHECK(denied(line + "rm x", "rm"));
  CHECK_FALSE(denied(line + "ls x", "rm"));
}
