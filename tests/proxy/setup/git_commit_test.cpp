#include "proxy/setup/git_commit.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "proxy/base/file.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using proxy::checked_out_commit;

namespace {

const std::string first(40, '1');
const std::string second(40, '2');

// Made file by file: no git is needed to read what git wrote.
struct Repository {
  TemporaryFolder folder;
  std::string root = folder / "w";

  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root + "/" + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
};

}  // namespace

TEST_CASE("the commit of a branch is found loose, packed, and from a folder below", "[git_commit]") {
  const Repository repository;
  repository.write(".git/HEAD", "ref: refs/heads/main\n");
  repository.write("sub/policy.toml", "");
  CHECK(checked_out_commit(repository.root).empty());  // no commit yet
  repository.write(".git/packed-refs", "# pack-refs with: peeled fully-peeled sorted\n" + first +
                                           " refs/heads/main\n" + second + " refs/heads/main2\n");
  CHECK(checked_out_commit(repository.root) == first);
  repository.write(".git/refs/heads/main", second + "\n");
  CHECK(checked_out_commit(repository.root) == second);
  CHECK(checked_out_commit(repository.root + "/sub/policy.toml") == second);
  CHECK(checked_out_commit(repository.folder.path()).empty());
  CHECK(checked_out_commit("policy.toml").empty());
}

TEST_CASE("a detached head is itself, and a worktree shares its refs", "[git_commit]") {
  const Repository repository;
  repository.write(".git/HEAD", first + "\n");
  CHECK(checked_out_commit(repository.root) == first);
  repository.write(".git/refs/heads/side", second + "\n");
  repository.write(".git/worktrees/side/HEAD", "ref: refs/heads/side\n");
  repository.write(".git/worktrees/side/commondir", "../..\n");
  repository.write("../side/.git", "gitdir: " + repository.root + "/.git/worktrees/side\n");
  CHECK(checked_out_commit(repository.root + "/../side") == second);
}

TEST_CASE("what is no repository of git's names no commit", "[git_commit]") {
  const Repository repository;
  const std::string head = GENERATE(std::string("ref: refs/../../secret\n"), std::string("ref: HEAD\n"),
                                    std::string("ref: refs/heads/loop\n"), std::string("11\n"),
                                    std::string(40, 'X'), std::string());
  CAPTURE(head);
  repository.write(".git/HEAD", head);
  repository.write(".git/refs/heads/loop", "ref: refs/heads/loop\n");
  repository.write("secret", first + "\n");
  CHECK(checked_out_commit(repository.root).empty());
}

TEST_CASE("a pipe in the place of HEAD is not waited for", "[git_commit]") {
  const Repository repository;
  repository.write(".git/config", "");
  REQUIRE(::mkfifo((repository.root + "/.git/HEAD").c_str(), 0600) == 0);
  CHECK(checked_out_commit(repository.root).empty());
}
