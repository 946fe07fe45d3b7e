// Recursive effects and patterns for names, on files that are there.

#include "policy/path/tree.hpp"

#include <filesystem>

#include "policy/path/file_system.hpp"
#include "proxy/base/file.hpp"
#include "tests/policy/verdicts.hpp"
#include "tests/temporary_folder.hpp"

using namespace policy;
using namespace policy_tests;

namespace {

// A workspace on disk, judged with the real file system.
class Disk {
 public:
  Disk() { std::filesystem::create_directories(root()); }
  std::string root() const { return folder_ / "w"; }
  void file(const std::string& name) const {
    std::filesystem::create_directories(std::filesystem::path(root() + '/' + name).parent_path());
    REQUIRE(base::write_file(root() + '/' + name, "x", 0600).has_value());
  }
  void link(const std::string& name, const std::string& target) const {
    std::filesystem::create_symlink(target, root() + '/' + name);
  }
  Tier tier(const std::string& toml, const std::string& line) const {
    const std::string rules =
        "version = 1\ndefault = \"ask\"\n[[allow]]\nid=\"a\"\nrun=[\"*\"]\nread=[\"**\"]\n"
        "write=[\"**\"]\ndelete=[\"**\"]\n" +
        toml;
    auto loaded = Policy::load({{Layer::mission, "t", rules, true}}, root(), "/home/dev");
    INFO((loaded ? std::string() : loaded.error().text()));
    REQUIRE(loaded.has_value());
    Scene scene{root(), root(), "/home/dev", "dev", &files_};
    return loaded->judge(run(line), scene).tier;
  }

 private:
  TemporaryFolder folder_;
  FileSystem files_;
};

}  // namespace

TEST_CASE("what stands below a directory is listed without following links") {
  const Disk disk;
  disk.file("a/b/c");
  disk.file("d");
  disk.link("l", "/");
  const FileSystem files;
  Trees trees(files);
  const std::vector<Below>* below = trees.below(disk.root(), GitPart::all);
  REQUIRE(below != nullptr);
  std::vector<std::string> names;
  for (const Below& each : *below) names.push_back(each.tail + (each.directory ? "/" : ""));
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"/a/", "/a/b/", "/a/b/c", "/d", "/l"});
  CHECK(trees.below(disk.root() + "/d", GitPart::all)->empty());
  CHECK(trees.below(disk.root() + "/none", GitPart::all)->empty());
  const DescribedFiles described;
  CHECK(Trees(described).below("/", GitPart::all) == nullptr);
}

TEST_CASE("what a pattern for names copies is known by what lies there now, and by what may come") {
  const Disk disk;
  disk.file("src/page.html");
  const std::string settings = "[[deny]]\nid = \"settings\"\nwrite = [\"out/settings.json\"]\n";
  CHECK(disk.tier(settings, "cp src/*.html out") == Tier::allow);
  CHECK(disk.tier("", "cp src/* out") == Tier::allow);
  // It may be written before the copy is made.
  CHECK(disk.tier(settings, "cp src/* out") == Tier::ask);
  disk.file("src/settings.json");
  std::filesystem::create_directories(disk.root() + "/out");
  CHECK(disk.tier(settings, "cp src/* out") == Tier::deny);
  disk.file("src/opencode.json");
  CHECK(disk.tier("", "cp src/* out") == Tier::deny);
}

TEST_CASE("a listing of names reads directories only") {
  const Disk disk;
  disk.file("src/deep/.env");
  const std::string line =
      GENERATE(std::string("ls -R"), std::string("ls -lR src"), std::string("find . -name '*.c'"),
               std::string("find src -type f"), std::string("tree"), std::string("du -sh ."),
               std::string("fd x"), std::string("rg --files"), std::string("rg --files src"));
  CAPTURE(line);
  CHECK(disk.tier(deny_env, line) == Tier::allow);
  CHECK(disk.tier("[[deny]]\nid = \"deep\"\nread = [\"src/deep/\"]\n", line) == Tier::ask);
}

TEST_CASE("what is listed and then opened is read") {
  const Disk disk;
  disk.file("src/deep/.env");
  const std::string line =
      GENERATE(std::string("rg -. x"), std::string("grep -r x ."), std::string("rg -l -uu x src"),
               std::string("find . -exec cat {} +"), std::string("find . | xargs cat"),
               std::string("cat $(find . -name .env)"), std::string("fd -H x -X cat"));
  CAPTURE(line);
  CHECK(disk.tier(deny_env, line) != Tier::allow);
}

TEST_CASE("a recursive read is asked for only where something below is denied") {
  const Disk disk;
  disk.file("src/a.c");
  CHECK(disk.tier(deny_env, "grep -r x src") == Tier::allow);
  CHECK(disk.tier(deny_env, "find . -name '*.c'") == Tier::allow);
  CHECK(disk.tier(deny_env, "rm -r src") == Tier::allow);
  disk.file("src/deep/down/.env");
  CHECK(disk.tier(deny_env, "grep -r x src") == Tier::ask);
  CHECK(disk.tier(deny_env, "rm -r src") == Tier::ask);
  CHECK(disk.tier(deny_env, "grep -r x src/deep/down/.env") == Tier::deny);
  CHECK(disk.tier(deny_env, "cp -r src out") == Tier::ask);
  CHECK(disk.tier(deny_env, "cp -r src/a.c out") == Tier::allow);
}

TEST_CASE("what is copied with all below it is known by the names that stand there now") {
  const Disk disk;
  disk.file("src/deep/a.c");
  disk.file("other/b");
  CHECK(disk.tier("", "cp -r src dst") == Tier::allow);
  CHECK(disk.tier("", "cp -a src/. dst") == Tier::allow);
  CHECK(disk.tier("", "cp -r src other dst") == Tier::allow);
  CHECK(disk.tier("", "mv src dst") == Tier::allow);
  CHECK(disk.tier(deny_env, "cp -r src dst") == Tier::allow);
  // By its place it may come there before the copy is made.
  const std::string placed = "[[deny]]\nid = \"settings\"\nwrite = [\"dst/a.json\"]\n";
  CHECK(disk.tier(placed, "cp -r src dst") == Tier::ask);
  disk.file("other/deep/.mcp.json");
  CHECK(disk.tier("", "cp -r src dst") == Tier::allow);
  CHECK(disk.tier("", "cp -r src other dst") != Tier::allow);
  CHECK(disk.tier("", "mv other dst") != Tier::allow);
  CHECK(disk.tier("", "cp -r $X dst") != Tier::allow);
}

TEST_CASE("what find runs on what it finds is judged by what is there of that name") {
  const Disk disk;
  disk.file("src/a.o");
  disk.file("src/deep/.env");
  for (const char* line :
       {"find . -name '*.o' -exec rm {} +", "find src -type f -name '*.o' -exec rm -f {} \\;",
        "find . -name '*.c' -exec grep -l x {} +", "find src/ -name '*.o' -exec chmod 644 {} +",
        "find src -name 'a*' -exec wc -l {} + | sort"})
    CHECK(disk.tier(deny_env, line) == Tier::allow);
  for (const char* line :
       {"find . -exec rm {} +", "find . -name '*env' -exec cat {} +", "find . -exec cat {} + -name '*.o'",
        "find . -name '*.o' -o -exec cat {} +", "find . ! -name '*.o' -exec cat {} +",
        "find . -name $X -exec cat {} +", "find . -name '*.o' -name '*' -o -exec cat {} \\;",
        "find . -name '*.o' -exec sh -c 'cat $1' _ {} \\;", "find . -name '*.o' -execdir cat {} +",
        "find . -name '*.o' -exec cat {}.x +", "find $X -exec cat {} +", "find . -name '*.o' -exec ./x {} +",
        "find . -name '*.o' -exec env {} +", "find src/deep/.env -name '.e*' -exec cat {} +"})
    CHECK(disk.tier(deny_env, line) != Tier::allow);
  CHECK(disk.tier("[[ask]]\nid=\"rm\"\nrun=[\"rm\"]\n", "find . -name '*.o' -exec rm {} +") == Tier::ask);
  disk.link("src/b.o", "/etc/passwd");
  CHECK(disk.tier("[[deny]]\nid=\"etc\"\npath=[\"/etc/**\"]\n", "find . -name '*.o' -exec cat {} +") ==
        Tier::deny);
}

TEST_CASE(
    "grep reads of files below only those that it is told to, and no folder that it is told to leave out") {
  const Disk disk;
  disk.file("src/a.c");
  disk.file("src/deep/.env");
  CHECK(disk.tier(deny_env, "grep -r x src") == Tier::ask);
  for (const char* line :
       {"grep -r --include='*.c' x src", "grep -r --include=*.c --include=*.h x .",
        "grep -rn --exclude-dir=deep x src", "grep -r x src --include '*.h'", "grep -r --exclude-dir=deep x"})
    CHECK(disk.tier(deny_env, line) == Tier::allow);
  for (const char* line :
       {"grep -r --include='*env' x src", "grep -r --include='.e[mn]v' x src",
        "grep -r --exclude='*.h' --include='*.c' x src", "grep -r --exclude-dir='d*' x src",
        "grep -r --exclude-dir=src x src", "grep -r --include=$X x src",
        "grep -r --include='*.c' --include='.*' x src", "grep --exclude-dir=.env -r x src"})
    CHECK(disk.tier(deny_env, line) == Tier::ask);
  CHECK(disk.tier(deny_env, "grep -r --include='*.c' x src/deep/.env") == Tier::deny);
}

TEST_CASE("a pattern for names is held against rules by what it can stand for") {
  const Disk disk;
  disk.file("src/a.c");
  disk.file(".env");
  CHECK(disk.tier(deny_env, "cat *") == Tier::allow);
  CHECK(disk.tier(deny_env, "cat src/*.c") == Tier::allow);
  CHECK(disk.tier(deny_env, "cat */*.c") == Tier::allow);
  CHECK(disk.tier(deny_env, "cat .*") == Tier::ask);
  CHECK(disk.tier(deny_env, "cat .e[mn]v") == Tier::ask);
  CHECK(disk.tier(deny_env, "cat .en?") == Tier::ask);
  CHECK(disk.tier("[[deny]]\nid=\"s\"\nread=[\"src/**\"]\n", "cat src/*") == Tier::deny);
  CHECK(disk.tier("[[deny]]\nid=\"s\"\nread=[\"src/*.c\"]\n", "cat src/*.c") == Tier::deny);
  CHECK(disk.tier("[[deny]]\nid=\"s\"\nread=[\"src/*.h\"]\n", "cat src/*.c") == Tier::allow);
}

TEST_CASE("links among the names that a pattern stands for are followed") {
  const Disk disk;
  disk.file("a.c");
  CHECK(disk.tier("", "cat *.c") == Tier::allow);
  disk.link("b.c", "/etc/passwd");
  CHECK(disk.tier("", "cat *.c") == Tier::ask);
  CHECK(disk.tier("[[deny]]\nid=\"s\"\nread=[\"/etc/**\"]\n", "cat *.c") == Tier::deny);
  CHECK(disk.tier("", "cat *.h") == Tier::allow);
  disk.link("etc", "/etc");
  CHECK(disk.tier("", "cat */passwd") == Tier::ask);
}

TEST_CASE("two globs meet where some text matches both") {
  const auto meet = [](const char* a, const char* b) {
    return Glob(a).may_meet(Glob(b)) && Glob(b).may_meet(Glob(a));
  };
  CHECK(meet("*.c", "a*"));
  CHECK(meet("*", ""));
  CHECK(meet("a?c", "ab*"));
  CHECK(meet("*a*b*", "*b*a*"));
  CHECK_FALSE(meet("*.c", "*.h"));
  CHECK_FALSE(meet("a", "b"));
  CHECK_FALSE(meet("a*", "b*"));
  CHECK_FALSE(meet("ab", "a"));
}

TEST_CASE("a program that looks at files of some names only meets no others") {
  const Disk disk;
  disk.file(".env");
  disk.file("src/a.ts");
  disk.file("src/a.py");
  disk.file("src/.env");
  const std::string secrets = "[[deny]]\nid = \"s\"\nread = [\"secrets/**\"]\n";
  for (const char* line : {"tsc --noEmit", "npx tsc --noEmit", "cmake -S . -B build", "eslint .",
                           "eslint --fix src", "prettier --check .", "prettier --write .", "ruff check .",
                           "ruff format", "black src", "mypy src", "gofmt -l ."}) {
    INFO(line);
    CHECK(disk.tier(deny_env + secrets, line) == Tier::allow);
  }
  for (const char* line :
       {"eslint --ext .env .", "black --include '.*' .", "ruff check --extension=env:python .",
        "tsc --outDir src", "cmake -S . -B src", "prettier .env", "black src/.env", "eslint src/.e*"}) {
    INFO(line);
    CHECK(disk.tier(deny_env + secrets, line) != Tier::allow);
  }
  disk.file("secrets/key");
  CHECK(disk.tier(secrets, "tsc --noEmit") == Tier::allow);
  disk.file("secrets/a.ts");
  for (const char* line : {"tsc --noEmit", "eslint .", "prettier --check ."})
    CHECK(disk.tier(secrets, line) == Tier::ask);
  CHECK(disk.tier(secrets, "ruff check") == Tier::allow);
  disk.file("secrets/CMakeLists.txt");
  CHECK(disk.tier(secrets, "cmake -S . -B build") == Tier::ask);
}

TEST_CASE("nothing lies below a bundle that is written") {
  const Disk disk;
  disk.file("src/a");
  const std::string below = "[[deny]]\nid = \"b\"\nwrite = [\"build/a.zip/x\"]\n";
  CHECK(disk.tier(below, "zip -r build/a.zip src") == Tier::allow);
  CHECK(disk.tier("[[deny]]\nid = \"z\"\nwrite = [\"build/a.zip\"]\n", "zip -r build/a.zip src") ==
        Tier::deny);
  CHECK(disk.tier("[[deny]]\nid = \"z\"\nread = [\"src/a\"]\n", "zip -r build/a.zip src") == Tier::ask);
}
