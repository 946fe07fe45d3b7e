// What git ignores, and what it takes in.

#include "policy/path/ignored.hpp"

#include <filesystem>

#include "policy/path/file_system.hpp"
#include "policy/path/tree.hpp"
#include "proxy/base/file.hpp"
#include "tests/policy/verdicts.hpp"
#include "tests/temporary_folder.hpp"

using namespace policy;
using namespace policy_tests;

namespace {

class Worktree {
 public:
  Worktree() { std::filesystem::create_directories(root() + "/.git/info"); }
  std::string root() const { return folder_ / "w"; }
  void file(const std::string& name, const std::string& text = "x") const {
    std::filesystem::create_directories(std::filesystem::path(root() + '/' + name).parent_path());
    REQUIRE(base::write_file(root() + '/' + name, text, 0600).has_value());
  }
  std::vector<std::string> taken_in(const std::string& below = "") const {
    const auto found = names_below(root() + below, files_, true);
    REQUIRE(found.has_value());
    std::vector<std::string> names;
    for (const Below& each : *found) names.push_back(each.tail);
    std::sort(names.begin(), names.end());
    return names;
  }
  Tier tier(const std::string& line) const {
    const std::string rules =
        "version = 1\ndefault = \"ask\"\n[[allow]]\nid=\"a\"\nrun=[\"*\"]\nread=[\"**\"]\nwrite=[\"**\"]\n"
        "[[deny]]\nid=\"s\"\npath=[\"**/.env\"]\n";
    auto loaded = Policy::load({{Layer::mission, "t", rules, true}}, root(), "/home/dev");
    REQUIRE(loaded.has_value());
    return loaded->judge(run(line), {root(), root(), "/home/dev", "dev", &files_}).tier;
  }

 private:
  TemporaryFolder folder_;
  FileSystem files_;
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("lines of files of ignored names mean what gitignore(5) says") {
  const Worktree tree;
  for (const char* name : {"a.o", "d/a.o", "d/keep.o", "d/e/b", "out/x", "src/out/y", "deep/1/2/z", "top"})
    tree.file(name);
  const Names all = tree.taken_in();
  CHECK(all.size() == 16);
  const auto left_out = [&](const std::string& text) {
    tree.file(".gitignore", text);
    Names out;
    const Names in = tree.taken_in();
    std::set_difference(all.begin(), all.end(), in.begin(), in.end(), std::back_inserter(out));
    return out;
  };
  CHECK(left_out("").empty());
  CHECK(left_out("# top\n\n\\#x\n").empty());
  CHECK(left_out("*.o\n") == Names{"/a.o", "/d/a.o", "/d/keep.o"});
  CHECK(left_out("*.o  \r\n!keep.o\n") == Names{"/a.o", "/d/a.o"});
  CHECK(left_out("/a.o\n") == Names{"/a.o"});
  CHECK(left_out("d/a.o\n") == Names{"/d/a.o"});
  CHECK(left_out("out/\ntop/\n") == Names{"/out", "/out/x", "/src/out", "/src/out/y"});
  CHECK(left_out("deep/**/z\n") == Names{"/deep/1/2/z"});
  CHECK(left_out("d\n!d/e/b\n") == Names{"/d", "/d/a.o", "/d/e", "/d/e/b", "/d/keep.o"});
  CHECK(left_out("t[o]p\n").empty());
  CHECK(left_out("top\n![x]\n").empty());
  CHECK(left_out("a/**/b/**/c/**/d\n**/a/**/b/**/c\n").empty());
}

TEST_CASE("what stands above and beside counts as well") {
  const Worktree tree;
  tree.file("d/a");
  tree.file("d/b");
  tree.file("d/c");
  tree.file(".gitignore", "a\n");
  tree.file(".git/info/exclude", "b\n");
  tree.file("d/.gitignore", "c\n!a\n");
  CHECK(tree.taken_in("/d") == Names{"/.gitignore", "/a"});
}

// What is ignored and tracked all the same is taken in, and the index is not read.
TEST_CASE("what is ignored counts in what git takes in, since it may be tracked") {
  const Worktree tree;
  tree.file("src/a.c");
  CHECK(tree.tier("git add .") == Tier::allow);
  CHECK(tree.tier("git add -A && git commit -m x") == Tier::allow);
  tree.file("src/.env");
  tree.file(".gitignore", ".env\n");
  const std::string line =
      GENERATE(std::string("git add ."), std::string("git add -A"), std::string("git add src"),
               std::string("git grep x -- src"), std::string("git checkout -- ."),
               std::string("git diff -- ."), std::string("npm pack"));
  CAPTURE(line);
  CHECK(tree.tier(line) == Tier::ask);
  CHECK(tree.tier("git add 'src/*.c'") == Tier::allow);
  CHECK(tree.tier("git add src/.env") == Tier::deny);
}

TEST_CASE("a submodule is a worktree of its own: what the outer one ignores is taken in there") {
  const Worktree tree;
  tree.file(".gitignore", ".env\n");
  tree.file("sub/.git", "gitdir: ../.git/modules/sub\n");
  tree.file("sub/.env");
  CHECK(tree.taken_in("/sub") == Names{"/.env"});
  tree.file("sub/.gitignore", ".env\n");
  CHECK(tree.taken_in("/sub") == Names{"/.gitignore"});
}
