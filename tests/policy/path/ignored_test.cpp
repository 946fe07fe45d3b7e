// What git certainly ignores, and what it takes in.

#include "policy/path/ignored.hpp"

#include <random>

#include "tests/policy/path/repository.hpp"

using namespace policy;
using namespace policy_tests;

namespace {

using Names = std::vector<std::string>;

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TEST_CASE("plain lines of lists of ignored names leave out what git leaves out") {
  const Repository tree;
  for (const char* name : {"a.o", "d/a.o", "d/keep.o", "d/e/b", "out/x", "src/out/y", "deep/1/2/z", "top"})
    tree.file(name);
  const Names all = tree.below(GitPart::added);
  CHECK(all.size() == 16);
  const auto left_out = [&](const std::string& text) {
    tree.file(".gitignore", text);
    Names out;
    const Names in = tree.below(GitPart::added);
    std::set_difference(all.begin(), all.end(), in.begin(), in.end(), std::back_inserter(out));
    return out;
  };
  CHECK(left_out("").empty());
  CHECK(left_out("# top!\n\n\\#x\n").empty());
  CHECK(left_out("*.o\n") == Names{"/a.o", "/d/a.o", "/d/keep.o"});
  CHECK(left_out("*.o  \r\n!keep.o\n") == Names{"/a.o", "/d/a.o"});
  CHECK(left_out("*.o\n!*KEEP.O\n") == Names{"/a.o", "/d/a.o"});
  CHECK(left_out("/a.o\n") == Names{"/a.o"});
  CHECK(left_out("d/a.o\n") == Names{"/d/a.o"});
  CHECK(left_out("**/e/b\n") == Names{"/d/e/b"});
  CHECK(left_out("out/\ntop/\n") == Names{"/out", "/out/x", "/src/out", "/src/out/y"});
  CHECK(left_out("d\n!d/e/b\n") == Names{"/d", "/d/a.o", "/d/e", "/d/e/b", "/d/keep.o"});
  CHECK(left_out("t[o]p\n*.[oa]\n").empty());
  CHECK(left_out("*.py[cod]\ntop\n") == Names{"/top"});
}

TEST_CASE("where a line may take in more than can be told nothing is ignored") {
  const Repository tree;
  tree.file("top");
  tree.file("d/a");
  const std::string line = GENERATE(
      std::string("![x]"), std::string("!*"), std::string("!t*p"), std::string("!TOP"), std::string("!**"),
      std::string("!d/**"), std::string("\xef\xbb\xbf!top"), std::string("!/top"), std::string("!t?p"),
      std::string("\\!x"), std::string("!"), std::string("!top\t"));
  CAPTURE(line);
  tree.file(".gitignore", "top\n");
  CHECK_FALSE(has(tree.below(GitPart::added), "/top"));
  tree.file(".gitignore", "top\n" + line + "\n");
  CHECK(has(tree.below(GitPart::added), "/top"));
  tree.file(".gitignore", line + "\ntop\n");
  CHECK(has(tree.below(GitPart::added), "/top"));
}

TEST_CASE("what stands above and beside counts as well, in its own folder") {
  const Repository tree;
  for (const char* name : {"d/a", "d/b", "d/c", "c"}) tree.file(name);
  tree.file(".gitignore", "a\n");
  tree.file(".git/info/exclude", "b\n");
  tree.file("d/.gitignore", "c\n");
  CHECK(tree.below(GitPart::added, "/d") == Names{"/.gitignore"});
  CHECK(has(tree.below(GitPart::added), "/c"));
  tree.file("d/.gitignore", "c\n!a\n");
  CHECK(tree.below(GitPart::added, "/d") == Names{"/.gitignore", "/a"});
}

TEST_CASE("a list that cannot be read whole ignores nothing below it") {
  const Repository tree;
  tree.file("d/top");
  tree.file("top");
  tree.file(".gitignore", "top\n");
  CHECK(tree.below(GitPart::added) == Names{"/.gitignore", "/d"});
  SECTION("too long") { tree.file("d/.gitignore", std::string(70'000, '#') + "\n!top\n"); }
  SECTION("a link") { std::filesystem::create_symlink("../other", tree.root() + "/d/.gitignore"); }
  SECTION("another repository, whatever it is") { tree.file("d/.git/info/exclude", "top\n"); }
  SECTION("too many lines") {
    std::string lines;
    for (int i = 0; i < 3000; ++i) lines += "x\n";
    tree.file("d/.gitignore", lines);
  }
  const Names in = tree.below(GitPart::added);
  CHECK(has(in, "/d/top"));
  CHECK_FALSE(has(in, "/top"));
}

TEST_CASE("what is tracked is taken in though it is ignored, and known where it does not stand any more") {
  const Repository tree;
  tree.file("s/.env");
  tree.file("s/gone");
  tree.git("add .");
  std::filesystem::remove(tree.root() + "/s/gone");
  tree.file("s/new");
  tree.file(".gitignore", ".env\nnew\n");
  CHECK(tree.below(GitPart::tracked) == Names{"/s", "/s/.env", "/s/gone"});
  CHECK(tree.below(GitPart::added, "/s") == Names{"/.env", "/gone"});
  CHECK(tree.below(GitPart::all, "/s") == Names{"/.env", "/new"});
}

TEST_CASE("an ignored file that git does not track is left alone by what takes in or tracks") {
  const Repository tree;
  tree.file("src/a.c");
  tree.file("src/.env", "secret");
  tree.file(".gitignore", ".env\n");
  const std::string line = GENERATE(
      std::string("git add ."), std::string("git add -A"), std::string("git add src"),
      std::string("git add -A && git commit -m x"), std::string("git add src .gitignore && git commit -m x"),
      std::string("git checkout -b new && git add ."), std::string("git grep x -- src"),
      std::string("git grep x"), std::string("git checkout -- ."), std::string("git checkout -- src"),
      std::string("git restore ."), std::string("git diff -- ."), std::string("git diff src"),
      std::string("git add -u"), std::string("git commit -am x"), std::string("git stash"),
      std::string("git stash -u"), std::string("git commit -m x src"), std::string("git add :/"));
  CAPTURE(line);
  tree.git("add .");
  tree.git("commit -qm x");
  CHECK(tree.tier(line) == Tier::allow);
  // The same where it is not ignored, or tracked.
  tree.git("add -f src/.env");
  CHECK(tree.tier(line) == Tier::ask);
}

TEST_CASE("what is not ignored is taken in, what is ignored is in all there is") {
  const Repository tree;
  tree.file("src/.env");
  const std::string line = GENERATE(std::string("git add ."), std::string("git add -A"),
                                    std::string("git stash -u"), std::string("git add src"));
  CAPTURE(line);
  CHECK(tree.tier(line) == Tier::ask);
  tree.file(".gitignore", ".env\n");
  CHECK(tree.tier(line) == Tier::allow);
  CHECK(tree.tier("git add src/.env") == Tier::deny);
  CHECK(tree.tier("git stash -a") == Tier::ask);
  CHECK(tree.tier("git stash -u -a") == Tier::ask);
  CHECK(tree.tier("git stash -au") == Tier::ask);
  CHECK(tree.tier("grep -r x .") == Tier::ask);
}

TEST_CASE("of a commit more may be read or written than is tracked now") {
  const Repository tree;
  tree.file("src/.env");
  tree.git("add .");
  tree.git("commit -qm x");
  tree.git("rm -rq --cached .");
  tree.file(".gitignore", ".env\n");
  tree.file("HEAD/a");
  tree.git("add -f HEAD");
  const std::string line =
      GENERATE(std::string("git diff HEAD -- src"), std::string("git diff HEAD src"),
               std::string("git grep x HEAD -- src"), std::string("git grep -e x HEAD -- src"),
               std::string("git checkout HEAD -- src"), std::string("git diff --cached -- src"),
               std::string("git restore --source=HEAD src"), std::string("git diff HEAD~0 -- src"),
               std::string("git grep -e -- HEAD -- src"));
  CAPTURE(line);
  CHECK(tree.tier(line) == Tier::ask);
}

TEST_CASE("what may change before git looks is not known") {
  const Repository tree;
  tree.file("src/a.c");
  tree.file("src/.env");
  tree.file(".gitignore", ".env\n");
  const std::string line = GENERATE(
      std::string("echo x > .gitignore; git add ."), std::string("rm .gitignore && git add ."),
      std::string("git rm -r --cached src; git add ."),
      std::string("git config core.excludesFile x; git add ."),
      std::string("echo '!.env' >> src/.gitignore && git add ."),
      std::string("mv x src/.gitignore; git add ."), std::string("ln -s .gitignore g; echo x > g; git add ."),
      std::string("git init src; git add ."), std::string("echo x >> .git/info/exclude; git add ."),
      std::string("git switch other; git grep x"), std::string("git checkout -b new other && git add ."),
      std::string("sed -i d .gitignore; git add ."));
  CAPTURE(line);
  CHECK(tree.tier(line) != Tier::allow);
}

TEST_CASE("a repository of an odd layout tells nothing") {
  const Repository tree;
  tree.file(".env");
  tree.file(".gitignore", ".env\n");
  tree.git("add .");
  CHECK(tree.tier("git add .") == Tier::allow);
  SECTION("another worktree is set") { tree.git("config core.worktree /"); }
  SECTION("settings of another file") { tree.git("config include.path ../x"); }
  SECTION("settings of one worktree") { tree.git("config extensions.worktreeConfig true"); }
  SECTION("no HEAD") { std::filesystem::remove(tree.root() + "/.git/HEAD"); }
  SECTION("its index is a link") {
    std::filesystem::rename(tree.root() + "/.git/index", tree.beside("index"));
    std::filesystem::create_symlink(tree.beside("index"), tree.root() + "/.git/index");
  }
  SECTION("a bare one in the way") {
    tree.git("init -q --bare sub");
    std::filesystem::rename(tree.root() + "/.env", tree.root() + "/sub/.env");
    CHECK(tree.tier("cd sub && git add .") == Tier::ask);
    tree.file(".env");
    tree.file(".gitignore");
  }
  CHECK(tree.tier("git add .") == Tier::ask);
}

TEST_CASE("what git takes from its top it takes where that lies above the workspace") {
  const Repository tree;
  tree.file(".env");
  tree.file("src/a");
  tree.git("add .");
  tree.git("commit -qm x");
  const std::string line =
      GENERATE(std::string("git add -A"), std::string("git add -u"), std::string("git commit -am x"),
               std::string("git stash"), std::string("git add :/"), std::string("git grep x -- :/"),
               std::string("git checkout -- ':(top)'"), std::string("git stash -u"));
  CAPTURE(line);
  CHECK(tree.tier(line, "/src") == Tier::ask);
  CHECK(tree.tier("git add .", "/src") == Tier::allow);
  CHECK(tree.tier("git grep x", "/src") == Tier::allow);
}

TEST_CASE("whatever git adds of any worktree is among what is said") {
  std::mt19937 random(GENERATE(range(1u, 13u)));
  const auto one = [&](const std::vector<std::string>& of) { return of[random() % of.size()]; };
  const std::vector<std::string> parts{"a", "b", ".env", "x.pem", "secrets", "A", "conf"};
  const std::vector<std::string> lines{".env",        "*.pem",
                                       "secrets/",    "/a",
                                       "a/b",         "**/conf",
                                       "a/*",         "!.env",
                                       "!secrets",    "!a/",
                                       "![a]",        "!*.p*",
                                       "conf/**",     "!conf/.env",
                                       "**/a/b",      "secrets//",
                                       "!secret[s]/", "*",
                                       "!*/",         "# x",
                                       "a ",          "\xef\xbb\xbf!.env",
                                       "!/a",         "a//b",
                                       "\\!a",        "b\r",
                                       "!.ENV",       "/**/b",
                                       "!**/b",       "*b",
                                       "a*/",         "!a*",
                                       "sec*s",       "?",
                                       "x.pem/"};
  const auto path = [&] {
    std::string text = one(parts);
    for (auto depth = random() % 3; depth > 0; --depth) text += '/' + one(parts);
    return text;
  };
  const auto list = [&] {
    std::string text;
    for (auto count = 1 + random() % 5; count > 0; --count) text += one(lines) + '\n';
    return text;
  };
  const Repository tree;
  for (int i = 0; i < 20; ++i) {
    const std::string name = path();
    std::error_code exists;
    std::filesystem::create_directories(std::filesystem::path(tree.root() + '/' + name).parent_path(),
                                        exists);
    if (!exists && !std::filesystem::exists(tree.root() + '/' + name)) tree.file(name);
    if (random() % 6 == 0) tree.git("add -f -- '" + name + "'");
  }
  if (random() % 2 == 0) tree.git("update-index --index-version 4");
  if (random() % 3 == 0) tree.git("config core.ignorecase true");
  tree.file(".git/info/exclude", list());
  for (int i = 0; i < 3; ++i) {
    const std::string folder = i == 0 ? "" : path() + '/';
    if (std::filesystem::is_directory(tree.root() + '/' + folder)) tree.file(folder + ".gitignore", list());
  }
  const Names said = tree.below(GitPart::added);
  const Names tracked = tree.below(GitPart::tracked);
  for (const std::string& name : tree.tracked()) CHECK(has(tracked, '/' + name));
  tree.git("add .");
  CAPTURE(tree.text(".gitignore"), tree.text(".git/info/exclude"), tree.git("status -s --ignored"));
  for (const std::string& name : tree.tracked()) {
    CAPTURE(name);
    CHECK(has(said, '/' + name));
  }
}
