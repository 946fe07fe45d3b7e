// Indexes that git has made, and what is done to their bytes.

#include "policy/path/git_index.hpp"

#include "tests/policy/path/repository.hpp"

using namespace policy;
using namespace policy_tests;

namespace {

using Names = std::vector<std::string>;

// What read_git_index says of the repository's.
std::optional<Names> index_of(const Repository& repository) {
  return read_git_index(repository.text(".git/index"));
}

void fill(const Repository& repository) {
  for (const char* name : {"a", "b/c", "b/cc", "b/ccc", "b/d/e", "bb", ".env", "with blank", "\xc3\xbc"})
    repository.file(name);
  repository.git("add -f .");
}

}  // namespace

TEST_CASE("the names of an index are those that git lists, in each version") {
  const Repository repository;
  fill(repository);
  const Names names{".env", "a", "b/c", "b/cc", "b/ccc", "b/d/e", "bb", "with blank", "\xc3\xbc"};
  CHECK(index_of(repository) == names);
  const std::string version = GENERATE(std::string("2"), std::string("4"));
  repository.git("update-index --index-version " + version);
  CHECK(repository.text(".git/index").substr(4, 4) ==
        std::string(3, '\0') + static_cast<char>(version[0] - '0'));
  CHECK(index_of(repository) == names);
  // Further flags: version 3, if it is not 4.
  repository.file("new");
  repository.git("add -N new");
  REQUIRE(index_of(repository).has_value());
  CHECK(index_of(repository)->size() == names.size() + 1);
  repository.git("rm -q --cached -r -f .");
  CHECK(index_of(repository) == Names());
}

TEST_CASE("a name in conflict is told once") {
  const Repository repository;
  repository.file("a", "1");
  repository.git("add a");
  repository.git("commit -qm 1");
  repository.git("checkout -qb other");
  repository.file("a", "2");
  repository.git("commit -qam 2");
  repository.git("checkout -q -");
  repository.file("a", "3");
  repository.git("commit -qam 3");
  repository.git("merge other");
  REQUIRE(repository.git("ls-files -u").find('3') != std::string::npos);
  CHECK(index_of(repository) == Names{"a"});
}

TEST_CASE("an index that does not hold all names itself is not known") {
  const Repository repository;
  fill(repository);
  REQUIRE(index_of(repository).has_value());
  SECTION("split") {
    repository.git("update-index --split-index");
    CHECK_FALSE(index_of(repository).has_value());
  }
  SECTION("with files left out of the worktree") {
    repository.git("update-index --skip-worktree bb");
    CHECK_FALSE(index_of(repository).has_value());
  }
  SECTION("sparse") {
    repository.git("commit -qm x");
    repository.git("sparse-checkout set --cone --sparse-index b/d");
    CHECK_FALSE(index_of(repository).has_value());
  }
  SECTION("with a submodule") {
    repository.git("init -q sub");
    repository.git("commit -q --allow-empty -m x", "sub");
    repository.git("add sub");
    CHECK_FALSE(index_of(repository).has_value());
  }
  SECTION("of longer ids") {
    const Repository other(false);
    other.git("init -q --object-format=sha256");
    fill(other);
    CHECK_FALSE(index_of(other).has_value());
  }
}

TEST_CASE("an index that is cut anywhere, or has other bytes where names are told, is not known") {
  const std::string version = GENERATE(std::string("2"), std::string("4"));
  const Repository repository;
  fill(repository);
  repository.git("update-index --index-version " + version);
  const std::string whole = repository.text(".git/index");
  const auto names = read_git_index(whole);
  REQUIRE(names.has_value());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    // Cut in an extension that may be left unread the checksum moves: there is one.
    const auto read = read_git_index(std::string_view(whole).substr(0, size));
    if (read && *read != *names) FAIL("other names");
  }
  for (std::size_t at = 0; at < 12; ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    CAPTURE(at);
    CHECK_FALSE(read_git_index(changed).has_value());
  }
  const auto with_extension = [&](const std::string& extension) {
    return read_git_index(whole.substr(0, whole.size() - 20) + extension + whole.substr(whole.size() - 20));
  };
  CHECK(with_extension(std::string("XTRA\0\0\0\1x", 9)).has_value());
  CHECK_FALSE(with_extension(std::string("xtra\0\0\0\1x", 9)).has_value());
  CHECK_FALSE(with_extension(std::string("XTRA\0\0\0\2x", 9)).has_value());
}

TEST_CASE("names that lead elsewhere are none of an index") {
  const Repository repository;
  repository.file("a/bb/c");
  repository.git("add .");
  std::string bytes = repository.text(".git/index");
  const std::size_t at = bytes.find("a/bb/c");
  REQUIRE(at != std::string::npos);
  const std::string name =
      GENERATE(std::string("a/../c"), std::string("/a/b/c"), std::string("a//b/c"), std::string("a/./bc"),
               std::string("a/bb/\0", 6), std::string("a/bb/c").substr(0, 5) + '/');
  bytes.replace(at, 6, name);
  CHECK_FALSE(read_git_index(bytes).has_value());
}
