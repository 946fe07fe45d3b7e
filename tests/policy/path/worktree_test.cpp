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
