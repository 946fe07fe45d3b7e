// The worktree that git finds.

#include "policy/path/worktree.hpp"

#include "tests/policy/path/repository.hpp"

using namespace policy;
using namespace policy_tests;

TEST_CASE("linked worktrees and submodules are looked at where they are") {
  const Repository tree;
  tree.file("a");
  tree.git("add .");
  tree.git("commit -qm x");
  tree.git("worktree add -q ../linked");
  const FileSystem files;
  const auto linked = worktree_of(tree.beside("linked"), files);
  REQUIRE(linked.has_value());
  CHECK(linked->known);
  CHECK(linked->top == tree.beside("linked"));
  CHECK(linked->common == tree.root() + "/.git");
  CHECK(tracked_names(*linked, files) == std::vector<std::string>{"a"});
  tree.git("init -q ../module");
  tree.git("commit -q --allow-empty -m x", "../module");
  tree.git("submodule --quiet add ../module sub");
  const auto sub = worktree_of(tree.root() + "/sub", files);
  REQUIRE(sub.has_value());
  CHECK(sub->known);
  CHECK(sub->top == tree.root() + "/sub");
}

TEST_CASE("git finds in a folder what it finds above it, unless something of git stands between") {
  const Repository tree;
  for (const char* name : {"src/deep/a", "own/a", "bare/a", "file/a"}) tree.file(name);
  tree.git("init -q own");
  tree.file("bare/HEAD");
  tree.file("file/.git", "gitdir: ../elsewhere\n");
  const FileSystem files;
  Worktrees worktrees(files);
  const auto same = [&](const char* folder) {
    return worktrees.same(tree.root() + "/" + folder, tree.root());
  };
  CHECK(same("src"));
  CHECK(same("src/deep"));
  CHECK(same("src/../src"));
  CHECK_FALSE(same("own"));
  CHECK_FALSE(same("bare"));
  CHECK_FALSE(same("file"));
  CHECK_FALSE(same("missing"));
  CHECK_FALSE(worktrees.same("/", tree.root()));
  // All layouts that are not known are the same to both alike.
  tree.file(".git/config", "[include]\n\tpath = x\n");
  CHECK(same("src"));
}

TEST_CASE("git does not start itself in a repository below that is not the worktree's own") {
  const Repository tree;
  tree.file("src/a");
  tree.git("add .");
  tree.git("commit -qm x");
  for (const char* line : {"git status", "git diff", "git add src/a", "git commit -m x", "git log -1"})
    CHECK(tree.tier(line) == Tier::allow);
  tree.git("init -q src/sub");
  CHECK(tree.tier("git add src/sub") != Tier::allow);
  tree.git("-C src/sub commit -q --allow-empty -m y");
  tree.git("add src/sub");
  for (const char* line :
       {"git status", "git status -s", "git diff", "git add src/a", "git commit -m x", "git stash",
        "git checkout other", "git -C src status", "git log --submodule=diff"}) {
    INFO(line);
    CHECK(tree.tier(line) != Tier::allow);
  }
  for (const char* line : {"git log -1", "git show HEAD", "git branch", "git rev-parse HEAD"}) {
    INFO(line);
    CHECK(tree.tier(line) == Tier::allow);
  }
  // By a file that leads elsewhere.
  std::filesystem::rename(tree.root() + "/src/sub/.git", tree.root() + "/src/g");
  tree.file("src/sub/.git", "gitdir: ../g\n");
  CHECK(tree.tier("git status") != Tier::allow);
  std::filesystem::create_directories(tree.root() + "/.git/modules");
  std::filesystem::rename(tree.root() + "/src/g", tree.root() + "/.git/modules/sub");
  CHECK(tree.tier("git status") != Tier::allow);
  tree.file("src/sub/.git", "gitdir: ../../.git/modules/sub\n");
  CHECK(tree.tier("git status") == Tier::allow);
  tree.file("src/sub/.git", "gitdir: ../../.git/modules\n");
  CHECK(tree.tier("git status") != Tier::allow);
  std::filesystem::remove(tree.root() + "/src/sub/.git");
  CHECK(tree.tier("git status") == Tier::allow);
  tree.file(".git/index", "DIRC");
  CHECK(tree.tier("git status") != Tier::allow);
}

TEST_CASE("what makes a repository, or changes one, is asked where writing is allowed") {
  const Repository tree;
  tree.file("src/a");
  tree.git("init -q --bare src/g");
  for (const char* line :
       {"echo x > src/sub/.git", "cp src/a src/.GIT", "mv src/a src/sub/.git", "touch src/x/.git/config",
        "mkdir src/.git", "echo x >> src/g/config", "echo x > src/g/hooks/post-commit",
        "ln -s src/g src/.git", "git init --separate-git-dir=src/h src/sub",
        "git clone --separate-git-dir=src/h a src/sub"}) {
    INFO(line);
    CHECK(tree.tier(line) != Tier::allow);
  }
  for (const char* line :
       {"echo x > src/config", "touch src/.gitignore", "mkdir -p src/b/hooks", "cat .git/config"}) {
    INFO(line);
    CHECK(tree.tier(line) == Tier::allow);
  }
}
