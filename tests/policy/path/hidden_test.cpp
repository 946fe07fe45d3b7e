// Programs that leave hidden names alone, on files that are there.

#include "policy/path/hidden.hpp"

#include "tests/policy/path/repository.hpp"

using namespace policy;
using namespace policy_tests;

TEST_CASE("ripgrep and fd leave hidden names alone, unless an option says otherwise") {
  const Repository repository;
  repository.file("src/a.ts");
  repository.file("src/deep/.env");
  repository.file(".config/b/.env");
  repository.file(".gitignore", "build/\n!keep\n/dist\n");
  for (const char* line : {"rg x", "rg x src", "rg -n x .", "rg --no-ignore x", "rg -g '!dist' x",
                           "rg --files .", "rg x src README.md | head", "rg x .config", "rg x .config/b"}) {
    INFO(line);
    CHECK(repository.tier(line) == Tier::allow);
  }
  for (const char* line :
       {"rg -. x", "rg --hidden x src", "rg -uu x", "rg --hid x", "rg -g '*' x", "rg --iglob=.e* x",
        "rg -t all x", "rg --type-add 'a:.env' -t a x", "rg --ignore-file l x", "rg x src/deep/.env",
        "rg -g $X x", "RIPGREP_CONFIG_PATH=c rg x", "RIPGREP_CONFIG_PATH=c; rg x",
        "export RIPGREP_CONFIG_PATH=c; rg x", "rg x . .config/b/.env", "echo '!.env' > .ignore; rg x",
        "echo '!.env' > src/.gitignore; rg x", "tar xf a.tar; rg x"}) {
    INFO(line);
    CHECK(repository.tier(line) != Tier::allow);
  }
}

TEST_CASE("a list of ignored names that takes a hidden one in again shows it") {
  const char* const list = GENERATE(".gitignore", ".ignore", ".rgignore", "src/.ignore", ".git/info/exclude");
  const Repository repository;
  repository.file("src/.env");
  repository.file("src/a.ts");
  REQUIRE(repository.tier("rg x") == Tier::allow);
  CAPTURE(list);
  for (const char* line :
       {"!.env", "a\n!*\n", "!src/.e*", "!/src/**", "!.", "!\\.env", "x!y", "!src/[.]env/"}) {
    INFO(line);
    repository.file(list, line);
    CHECK(repository.tier("rg x") == Tier::ask);
    CHECK(repository.tier("rg x src") == Tier::ask);
  }
  repository.file(list, "# !.env\n!dist/keep\n!src/\n*.o\n");
  CHECK(repository.tier("rg x") == Tier::allow);
}

TEST_CASE("git in another folder of the workspace's repository is git there") {
  const Repository repository;
  repository.file("src/a.ts");
  repository.file("vendor/x/a");
  repository.git("init -q vendor/x");
  for (const char* line :
       {"cd src && git status", "git -C src status", "git -C . log --oneline", "git --no-pager -C src diff",
        "cd vendor && git status", "(cd src; git add a.ts)"}) {
    INFO(line);
    CHECK(repository.tier(line) == Tier::allow);
  }
  for (const char* line :
       {"cd vendor/x && git status", "git -C vendor/x status", "git -C /tmp status", "git -C $X status",
        "git init src && git -C src status", "mkdir src/.git && cd src && git status",
        "ln -sfn vendor/x src && cd src && git status", "mv vendor/x src2; cd src2 && git status",
        "git clone https://h/r src/r; cd src && git status", "tar xf a.tar; git -C src status",
        "touch src/HEAD; git -C src status", "GIT_DIR=vendor/x/.git git -C src status"}) {
    INFO(line);
    CHECK(repository.tier(line) != Tier::allow);
  }
  repository.file("src/HEAD");
  CHECK(repository.tier("cd src && git status") == Tier::ask);
}
