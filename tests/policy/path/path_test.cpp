#include "policy/path/path.hpp"
#include "policy/path/file_system.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "policy/pattern/pattern.hpp"
#include "tests/policy/scenes.hpp"
#include "tests/temporary_folder.hpp"

using namespace policy;

namespace {

std::string real(const std::string& path, std::map<std::string, std::string> links,
                 const std::string& directory = "/w") {
  return real_path(path, directory, DescribedFiles(std::move(links))).value_or("loop");
}

std::vector<PathReading> readings(const std::string& written, std::map<std::string, std::string> links = {}) {
  const DescribedFiles files(std::move(links));
  return read_path(written, "/w", policy_tests::scene(files));
}

bool any_lexical(const std::vector<PathReading>& all, const std::string& path) {
  for (const PathReading& reading : all)
    if (reading.path.lexical == path) return true;
  return false;
}

}  // namespace

TEST_CASE("paths are folded by text") {
  CHECK(fold_path("a/../b/./c//d/", "/w") == "/w/b/c/d");
  CHECK(fold_path("/../..", "/w") == "/");
  CHECK(fold_path("", "/w/x/..") == "/w");
  CHECK(fold_path("/w/a..b/..c", "/") == "/w/a..b/..c");
}

TEST_CASE("links are followed as the kernel does") {
  CHECK(real("l/x", {{"/w/l", "/secret"}}) == "/secret/x");
  CHECK(real("l/x", {{"/w/l", "../secret"}}) == "/secret/x");
  CHECK(real("l/../x", {{"/w/l", "/a/b"}}) == "/a/x");
  CHECK(real("new/file", {{"/w/new", "/nowhere/yet"}}) == "/nowhere/yet/file");
  CHECK(real("l", {{"/w/l", "m"}, {"/w/m", "n"}}) == "/w/n");
  CHECK(real("/proc/self/root/etc/passwd", {}) == "/etc/passwd");
  CHECK(real("/dev/fd/../environ", {}) == "/proc/self/environ");
}

TEST_CASE("a path through what a process has open, or stands in, is opaque") {
  const std::string path =
      GENERATE(std::string("/proc/self/cwd/x"), std::string("/proc/self/cwd"), std::string("/proc/7/cwd/x"),
               std::string("/proc/thread-self/cwd/x"), std::string("/proc/self/task/7/cwd/x"),
               std::string("/proc/self/task/7/fd/3"), std::string("/dev/fd/3/x"),
               std::string("/proc/self/fd/3/x"), std::string("/proc/self/root/etc"), std::string("l/x"),
               std::string("m/cwd/x"), std::string("/x/../proc//self/./cwd/x"));
  CAPTURE(path);
  CHECK(readings(path, {{"/w/l", "/proc/self/cwd"}, {"/w/m", "/proc/self"}}).front().opaque);
  CHECK_FALSE(readings("/proc/self/status", {}).front().opaque);
  CHECK_FALSE(readings("proc/self/cwd/x", {}).front().opaque);
}

TEST_CASE("a loop of links has no real path and is opaque") {
  CHECK(real("l", {{"/w/l", "l"}}) == "loop");
  CHECK(readings("l", {{"/w/l", "l"}}).front().opaque);
}

TEST_CASE("forty links are followed and forty-one are not") {
  std::map<std::string, std::string> links;
  for (int i = 0; i < 41; ++i) links["/w/l" + std::to_string(i)] = "l" + std::to_string(i + 1);
  CHECK(real("l1", links) == "/w/l41");
  CHECK(real("l0", links) == "loop");
}

TEST_CASE("a server that folds before it opens is foreseen") {
  const auto all = readings("l/../m/x", {{"/w/l", "/a/b"}, {"/w/m", "/secret"}});
  REQUIRE(all.size() == 2);
  CHECK(all[0].path.real == "/a/m/x");
  CHECK(all[1].path.real == "/secret/x");
}

TEST_CASE("a tilde and a file address are read both ways") {
  CHECK(any_lexical(readings("~/x"), "/home/dev/x"));
  CHECK(any_lexical(readings("~/x"), "/w/~/x"));
  CHECK(any_lexical(readings("~dev/x"), "/home/dev/x"));
  CHECK(any_lexical(readings("~root/x"), "/root/x"));
  CHECK(readings("~other/x").back().opaque);
  CHECK(any_lexical(readings("file:///a%2e%2e/%2e%2e/b"), "/b"));
  CHECK(any_lexical(readings("FILE:/b"), "/b"));
  CHECK(any_lexical(readings("file:///b"), "/w/file:/b"));
  CHECK(readings("file://host/b").back().opaque);
}

TEST_CASE("a NUL byte is refused in every reading") {
  CHECK_FALSE(readings(std::string("a\0b", 3)).front().refused.empty());
  CHECK_FALSE(readings("file:///a%00b").back().refused.empty());
}

TEST_CASE("a path longer than any is opaque and cheap") {
  std::string path;
  for (int i = 0; i < 100'000; ++i) path += "a/../";
  const auto all = readings(path + "x");
  CHECK(all.front().path.lexical == "/w/x");
  CHECK(all.front().opaque);
}

TEST_CASE("the real file system tells links, directories and hard links") {
  const TemporaryFolder folder;
  const std::string root = folder.path().string();
  REQUIRE(::symlink("target", (root + "/link").c_str()) == 0);
  std::fclose(std::fopen((root + "/file").c_str(), "w"));
  REQUIRE(::link((root + "/file").c_str(), (root + "/twin").c_str()) == 0);
  const FileSystem files;
  CHECK(files.target(root + "/link") == "target");
  CHECK_FALSE(files.target(root + "/file").has_value());
  CHECK(files.is_directory(root));
  CHECK_FALSE(files.is_directory(root + "/link"));
  CHECK(files.hard_links(root + "/file") == 2);
  CHECK(files.hard_links(root + "/absent") == 0);
}

TEST_CASE("a path that Unicode can spell in other ways is not understood") {
  const DescribedFiles files;
  const Scene scene = policy_tests::scene(files);
  for (const char* path : {"geheim-e\xcc\x81.txt", "\xe1\x84\x80\xe1\x85\xa1", "\xe2\x84\xab",
                           "a/\xe3\x81\x8b\xe3\x82\x99/b", "\xef\xa8\x90", "\xcd\xbe"}) {
    INFO(path);
    CHECK(read_path(path, "/w", scene).front().opaque);
    CHECK(PathPattern::compile(std::string("**/") + path, {"/w", "/h"}, Stance::restrict).has_error());
  }
  for (const char* path :
       {"geheim-\xc3\xa9.txt", "\xea\xb0\x80", "\xd0\xb9", "\xf0\x9f\x98\x80", "\xe3\x81\x8c", "a\xff\xcc"}) {
    INFO(path);
    CHECK_FALSE(read_path(path, "/w", scene).front().opaque);
    CHECK(PathPattern::compile(std::string("**/") + path, {"/w", "/h"}, Stance::restrict).has_value());
  }
}
