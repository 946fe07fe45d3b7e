// What commands and addresses come to under a policy.

#include "tests/policy/verdicts.hpp"

using namespace policy;
using namespace policy_tests;

TEST_CASE("no spelling of a file address passes a deny of its path") {
  // What neither the deny nor a refusal meets is asked here.
  const std::string rules = ask + deny_env + "[[allow]]\nid=\"all\"\nread=[\"**\"]\n";
  for (const std::string uri : {"file:///w/x#/../.env",
                                "file:///w/x?/../.env",
                                "file:///w/x%23/../.env",
                                "file:///w/x?/%2e%2e/.env#y",
                                "file:///w/x#/../.env?y",
                                "file:///w/.env%3Fx",
                                "FILE:///w/.env",
                                "FiLe:/w/.env",
                                "file:.env",
                                "file://.env",
                                "file://host/w/.env",
                                "file:\\\\\\w\\.env",
                                "file:///w/x\\..\\.env",
                                " file:///w/.env",
                                "\tfile:///w/.env",
                                "fi\nle:///w/.env",
                                "file:///w/.e\tnv",
                                "file:///w/.env ",
                                "file:///w/.env\xc2\xa0",
                                "\xef\xbb\xbf"
                                "file:///w/.env",
                                "file:///w/.env\x01",
                                "url:file:///w/.env",
                                "<file:///w/.env>",
                                "local_file:///w/.env",
                                "file%3A///w/.env",
                                "/w/.env",
                                "/w/x:/../.env",
                                "/w/.env?x",
                                "//h/w/.env#x"}) {
    Call resource;
    resource.server = "files";
    resource.method = "resources/read";
    resource.arguments = {{"uri", uri}};
    INFO(uri);
    CHECK(tier(rules, resource) == Tier::deny);
  }
  for (const std::string path :
       {"file:///w/x#/../.env", " file:///w/.env", "fi\nle:///w/.env", "\tFILE:///w/.env", "file:///w/.env\n",
        "file://h/w/.env", "file:///w/x?/../.env"}) {
    INFO(path);
    CHECK(tier(rules, read(path)) == Tier::deny);
    Call other = call("do", base::json::Value{{"uri", path}}.dump(), "other");
    CHECK(tier(rules + "[[allow]]\nid=\"n\"\nserver=\"other\"\ntool=\"do\"\n", other) == Tier::deny);
  }
  Call good;
  good.server = "files";
  good.method = "resources/read";
  for (const char* uri : {"file:///w/a%20b", "file:///w/x?y#z", "file://localhost/w/x"}) {
    good.arguments = {{"uri", uri}};
    INFO(uri);
    CHECK(tier(deny_env + allow_w, good) == Tier::allow);
  }
}

TEST_CASE("a program reads its working directory and the files that options name") {
  const std::string rules =
      ask + deny_env +
      "[[allow]]\nid=\"r\"\nread=[\"**\"]\nrun=[\"grep\", \"find\", \"ls\", \"node\", \"git\"]\n";
  for (const char* line : {"grep -r KEY",
                           "grep -re KEY",
                           "grep -e KEY -r",
                           "grep -r -m 1 KEY",
                           "grep -rA 2 KEY",
                           "grep -r --incl '*' KEY",
                           "grep --rec KEY",
                           "grep -d recurse KEY",
                           "egrep -R KEY",
                           "rgrep KEY",
                           "find",
                           "find -type f",
                           "ls -R",
                           "grep --file=/etc/shadow y",
                           "grep -rf/etc/shadow y src",
                           "grep --fil /etc/shadow y",
                           "grep -f /etc/shadow y",
                           "grep --exclude-from=/x y f",
                           "node --env-file=x a.js",
                           "git commit -F /etc/shadow"}) {
    INFO(line);
    CHECK(tier(rules, run(line)) == Tier::ask);
  }
  for (const char* line :
       {"grep -rf.env y src", "grep -nf/w/.env y", "grep --file=.env y", "grep -A 2 KEY .env"}) {
    INFO(line);
    CHECK(tier(rules, run(line)) == Tier::deny);
  }
  const std::string src = "[[allow]]\nid=\"r\"\nread=[\"src/**\"]\nrun=[\"grep\", \"find\"]\n";
  for (const char* line : {"grep -rn KEY src", "grep -n KEY src/a", "grep -rA2 KEY src", "find src"}) {
    INFO(line);
    CHECK(tier(src, run(line)) == Tier::allow);
  }
  CHECK(tier("[[allow]]\nid=\"r\"\nread=[\"src/**\"]\nrun=[\"grep\"]\n", run("grep --exclude=x KEY src/a")) ==
        Tier::allow);
  // The input of `uniq -f 1 FILE` is no output.
  CHECK(tier("[[allow]]\nid=\"w\"\nread=[\"**\"]\nwrite=[\"**\"]\nrun=[\"uniq\"]\n[[deny]]\nid=\"d\"\nread=["
             "\"**/.env\"]\n",
             run("uniq -f 1 .env")) == Tier::deny);
}

TEST_CASE("a program that follows links on its way down is not understood") {
  const std::string all = "[[allow]]\nid=\"a\"\nread=[\"/**\"]\nwrite=[\"/**\"]\nrun=[\"*\"]\n";
  for (const char* line : {"grep -R KEY src",      "grep -nR KEY src",
                           "egrep -RI KEY src",    "fgrep -R KEY src",
                           "rgrep -R KEY src",     "grep --dereference-recursive KEY src",
                           "grep --deref KEY src", "ls -RL src",
                           "ls -R -L src",         "ls -R --dereference src",
                           "ls -R --deref src",    "find -L src",
                           "find -H src",          "find src -follow",
                           "find -P -L src",       "cp -rL src to",
                           "cp -RH src to",        "cp -r --dereference src to",
                           "cp -aL src to",        "timeout 5 grep -R KEY src"}) {
    INFO(line);
    CHECK(tier(ask + all, run(line)) == Tier::ask);
  }
  for (const char* line : {"grep -r KEY src", "ls -R src", "find src", "find -P src"}) {
    INFO(line);
    CHECK(tier(ask + all, run(line)) == Tier::allow);
  }
}

TEST_CASE("a program that connects anywhere reads no file by its address") {
  const std::string net = "[[allow]]\nid=\"n\"\nrun=[\"curl\"]\nconnect=[\"@any\"]\n";
  const std::string deny_ssh = "[[deny]]\nid=\"s\"\npath=[\"~/.ssh/**\"]\n";
  const std::string read_all = "[[allow]]\nid=\"r\"\nread=[\"/**\"]\n";
  for (const char* address : {"file://localhost/home/dev/.ssh/config", "file:///home/dev/.ssh/config",
                              "FILE:/home/dev/.ssh/config", "file:///home/dev/%2essh/config"}) {
    INFO(address);
    CHECK(tier(ask + net + read_all, run(std::string("curl ") + address)) == Tier::ask);
    CHECK(tier(ask + net + deny_ssh, run(std::string("curl ") + address)) == Tier::deny);
    CHECK(tier(ask + net + deny_ssh, call("do", base::json::Value{{"url", address}}.dump(), "other")) ==
          Tier::deny);
  }
  const std::string files = "[[allow]]\nid=\"f\"\nconnect=[\"file://@any\"]\n";
  CHECK(tier(ask + net + files, run("curl file:///etc/hosts")) == Tier::ask);
  CHECK(tier(ask + net + files + read_all, run("curl file:///etc/hosts")) == Tier::allow);
  CHECK(tier(ask + net, run("curl ftp://h/x")) == Tier::ask);
  for (const char* address : {"http://h/x", "https://h/x", "ws://h", "wss://h:1"})
    CHECK(tier(net, run(std::string("curl ") + address)) == Tier::allow);
}

TEST_CASE("a read-only git runs nothing, and reads nothing outside the workspace") {
  const std::string git =
      ask + "[[allow]]\nid=\"g\"\nrun=[\"git {status,log,diff}\", \"git clone\", \"git pull\"]\n";
  const auto git_in = [](const std::string& line, const std::string& directory) {
    return call("run_command", base::json::Value{{"command", line}, {"cwd", directory}}.dump(), "workshop");
  };
  for (const char* line :
       {"git status", "git log -p -1", "git diff HEAD src/a", "git diff main -- a b", "git log -u",
        "git status -u", "git pull", "git log --author=fd", "git diff ../w/a"}) {
    INFO(line);
    CHECK(tier(git, run(line)) == Tier::allow);
  }
  CHECK(tier(git, run("git clone https://h/x")) == Tier::ask);
  CHECK(tier(git + "[[allow]]\nid=\"h\"\nconnect=[\"h\"]\n", run("git clone https://h/x")) == Tier::allow);
  for (const char* line :
       {"git diff /dev/null /etc/passwd", "git diff a ../x", "git diff -- /etc/hosts b", "git diff l x",
        "git diff '~/x' y", "git diff --no-index a b", "git clone -u x h:y", "git clone -qu x h:y",
        "git clone --upload-pack x h:y", "git clone --upload=x h:y", "git clone 'ext::sh -c x'",
        "git pull fd::3", "git log --remote=ext::x", "git status --bare", "git diff -x y",
        "git diff --extcmd=x"}) {
    INFO(line);
    CHECK(tier(git, run(line), {{"/w/l", "/etc/passwd"}}) == Tier::ask);
  }
  const std::string any_git = ask + "[[allow]]\nid=\"g\"\nrun=[\"git\"]\n";
  for (const char* line :
       {"git difftool --extcmd=x", "git difftool a", "git -C x status", "git --git-dir=x status",
        "git --work-tree x status", "git bisect run x", "git submodule foreach x"}) {
    INFO(line);
    CHECK(tier(any_git, run(line)) == Tier::ask);
  }
  const std::string named = "[[allow]]\nid=\"c\"\nrun=[\"git status\"]\ncwd=[\"sub/**\"]\n";
  CHECK(tier(git, git_in("git status", "/w")) == Tier::allow);
  CHECK(tier(git, git_in("git status", "sub/..")) == Tier::allow);
  CHECK(tier(git, git_in("git status", "l/.."), {{"/w/l", "/tmp/x"}}) == Tier::ask);
  CHECK(tier(git, git_in("git status", "sub")) == Tier::ask);
  CHECK(tier(git, git_in("timeout 5 git status", "/tmp")) == Tier::ask);
  CHECK(tier(git + named, git_in("git status", "sub")) == Tier::allow);
  CHECK(tier(git + named, git_in("git status", "other")) == Tier::ask);
  const std::string deny_outside = "[[deny]]\nid=\"e\"\nread=[\"/etc/**\"]\n";
  const std::string read_all = "[[allow]]\nid=\"r\"\nread=[\"/**\"]\n";
  CHECK(tier(git + read_all, run("git diff /dev/null /etc/passwd")) == Tier::allow);
  CHECK(tier(git + read_all + deny_outside, run("git diff /dev/null /etc/passwd")) == Tier::deny);
}

TEST_CASE("a command that a rule allows is not asked for a bare word of it by an ask for everything") {
  const std::string allow =
      "[[allow]]\nid=\"t\"\nrun=[\"git status\", \"npm test\", \"frob\", \"./build.sh\", \"rm\"]\n";
  for (const char* every : {"**", "/w/**", "/**"}) {
    const std::string rules =
        allow + "[[ask]]\nid=\"r\"\nwrite=[\"" + every + "\"]\ndelete=[\"" + every + "\"]\n";
    INFO(rules);
    for (const char* line : {"git status", "npm test", "frob output --name result -o out", "./build.sh"})
      CHECK(tier(rules, run(line)) == Tier::allow);
    // What looks like a path still counts, and so does what is known of a command.
    for (const char* line :
         {"frob src/a", "frob a.txt", "frob .", "frob '~/x'", "frob /w/a", "frob $PWD", "rm -r sub"}) {
      INFO(line);
      CHECK(tier(rules, run(line)) != Tier::allow);
    }
  }
}

TEST_CASE("a bare word counts for every deny, and for an ask that names less than the workspace") {
  const std::string allow = "[[allow]]\nid=\"t\"\nrun=[\"frob\", \"git\"]\n";
  CHECK(tier(allow + "[[deny]]\nid=\"r\"\nread=[\"secrets\"]\n", run("frob secrets")) == Tier::deny);
  CHECK(tier(allow + "[[deny]]\nid=\"r\"\nwrite=[\"**/Makefile\"]\n", run("frob Makefile")) == Tier::deny);
  CHECK(tier(allow + "[[deny]]\nid=\"r\"\ndelete=[\"**\"]\n", run("git rm -rf src")) == Tier::deny);
  CHECK(tier(allow + "[[deny]]\nid=\"r\"\nwrite=[\"**\"]\n", run("frob out")) == Tier::deny);
  CHECK(tier(allow + "[[deny]]\nid=\"r\"\nwrite=[\"**\"]\n", run("git status")) == Tier::allow);
  CHECK(tier(allow + "[[ask]]\nid=\"r\"\nwrite=[\"/w/*\"]\n", run("frob out")) == Tier::ask);
  CHECK(tier(allow + "[[deny]]\nid=\"r\"\nread=[\"link/**\"]\n", run("frob alias"),
             {{"/w/alias", "/w/link/x"}}) == Tier::deny);
}

TEST_CASE("a bare word counts where it lies or leads outside the workspace") {
  const std::string rules =
      "[[allow]]\nid=\"t\"\nrun=[\"frob\"]\ncwd=[\"/**\"]\n[[ask]]\nid=\"r\"\nread=[\"/**\"]\n";
  CHECK(tier(rules, run("frob key")) == Tier::allow);
  CHECK(tier(rules, run("frob key"), {{"/w/key", "/home/dev/.ssh/id_rsa"}}) == Tier::ask);
  const Call elsewhere = call("run_command", R"({"command":"frob key","cwd":"/home/dev/.ssh"})", "workshop");
  CHECK(tier(rules, elsewhere) == Tier::ask);
}

TEST_CASE("of a list that may be a command every word is guessed, also the first") {
  const std::string rules =
      "[[allow]]\nid=\"m\"\nserver=\"mine\"\n[[deny]]\nid=\"k\"\npath=[\"**/id_rsa\"]\n";
  for (const char* arguments : {R"({"args":["id_rsa"]})", R"({"argv":["id_rsa"]})",
                                R"({"args":["-n","id_rsa"]})", R"({"command":"id_rsa"})"}) {
    INFO(arguments);
    Call undeclared = call("cat", arguments, "mine");
    CHECK(tier(rules, undeclared) == Tier::deny);
  }
}

TEST_CASE("the program of a command is read where it names a file, and no more") {
  const std::string allow = "[[allow]]\nid=\"t\"\nrun=[\"./tools/frob\"]\n";
  CHECK(tier(allow + "[[deny]]\nid=\"r\"\nwrite=[\"tools/**\"]\n", run("./tools/frob")) == Tier::allow);
  CHECK(tier(allow + "[[deny]]\nid=\"r\"\nread=[\"tools/**\"]\n", run("./tools/frob")) == Tier::deny);
}
