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
