// What a command reaches through links that stand where its words lead, on a real disk.

#include <filesystem>

#include "tests/policy/path/repository.hpp"

using namespace policy;
using policy_tests::Repository;

namespace {

// `src/e` and `d/deep/e` lead to `.env`, `src/up` to `d`.
struct Linked : Repository {
  Linked() {
    for (const char* name : {".env", "src/a", "src/x.go", "d/deep/b", "plain/a", "plain/deep/b"}) file(name);
    link("../.env", "src/e");
    link("../../.env", "d/deep/e");
    link("../.env", "d/e.go");
    link("../d", "src/up");
  }
  void link(const std::string& target, const std::string& name) const {
    std::filesystem::create_symlink(target, root() + '/' + name);
  }
};

}  // namespace

TEST_CASE("what a pattern matches is followed, whether or not all below counts") {
  const Linked tree;
  for (const char* line :
       {"cat src/*", "grep -r S src/*", "rg S src/*", "ls -R src/*", "tar cf /tmp/t src/*",
        "cat src/*/deep/*", "cat src/**", "cat src/**/b", "cat */e", "cp -r src/* plain"}) {
    INFO(line);
    CHECK(tree.tier(line) != Tier::allow);
  }
  for (const char* line : {"grep -r S src", "cat plain/*", "grep -r S plain/*", "cat plain/**",
                           "cp -r plain q", "cat plain/*/b", "rg S plain/*"}) {
    INFO(line);
    CHECK(tree.tier(line) == Tier::allow);
  }
}

TEST_CASE("programs that follow links on their way down reach what these lead to") {
  const Linked tree;
  for (const char* line :
       {"zip -r x.zip d", "zip -r x.zip src", "zip -qr x.zip .", "zip -R x.zip '*'", "gofmt -l d",
        "gofmt -w d", "grep -R S d", "rg -L S d", "find -L d", "ls -LR d", "cp -rL d q", "tar chf x d",
        "du -L d", "diff -r d plain", "7z a x d", "chmod -R -L a d", "rsync -L d q", "scp -r d h:x"}) {
    INFO(line);
    CHECK(tree.tier(line) != Tier::allow);
  }
  for (const char* line : {"zip -r x.zip plain", "zip -ry x.zip d", "zip x.zip src/a", "gofmt -l plain"}) {
    INFO(line);
    CHECK(tree.tier(line) == Tier::allow);
  }
}

TEST_CASE("what a line puts somewhere is not looked for where it leads now") {
  const Linked tree;
  tree.link("x/y", "l");
  for (const char* line : {"cp -a src/e q/e && cat q/e",
                           "cp -r d q && cat q/deep/e",
                           "mv d q && cat q/deep/e",
                           "mv l src/l; cat src/l",
                           "ln -s x/y n && mv n src/n && cat src/n",
                           "ln l src/l && cat src/l",
                           "ln -s d n && cat n/b",
                           "cp -r d q && cp -r q p && cat p/b",
                           "cp -a d/. q && cat q/b",
                           "cp -a src/* q && cat q/a",
                           "cp -rt q d && cat q/d/b",
                           "cp -r d q && cat q/*",
                           "cp -r d q && zip -r x.zip .",
                           "git stash pop && cat src/a",
                           "git checkout other && cat src/a",
                           "git switch other; cat src/a",
                           "git pull && cat src/a",
                           "git reset --hard HEAD~1 && cat src/a",
                           "tar xf a.tar && cat src/a",
                           "tar xf a.tar -C src && cat src/*",
                           "unzip a.zip -d q && cat q/a",
                           "git clone a q && cat q/a",
                           "git checkout other && echo x > src/a",
                           "(sleep 1; cat src/a) & git checkout other",
                           "while read x; do cat src/a; git checkout $x; done",
                           "sh -c 'git checkout other; cat src/a'",
                           "find d -name b | xargs -I{} cp -r {} q && cat q/a"}) {
    INFO(line);
    CHECK(tree.tier(line) != Tier::allow);
  }
  for (const char* line :
       {"cp -r plain q && cat q/a", "mkdir -p x && touch x/y", "ln -s a b", "cp -r d q",
        "cat src/a && git checkout other", "git checkout -b other && cat src/a", "git fetch && cat src/a",
        "git log -1; cat src/a", "tar tf a.tar && cat src/a", "git commit -m x && cat src/a",
        "cp src/a q && cat q", "ln -s plain/a n && cat n", "git stash list && cat src/a",
        "unzip -l a.zip && cat src/a", "git checkout other && npm test", "git pull && git status"}) {
    INFO(line);
    CHECK(tree.tier(line) == Tier::allow);
  }
}
