// Where paths really lead on the disk: asked at once it is what asking name by name tells.

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <string>

#include "policy/path/file_system.hpp"
#include "policy/path/known_links.hpp"
#include "policy/path/path.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace policy;

namespace {

// The real one, which is asked name by name.
class NameByName final : public Links {
 public:
  std::optional<std::string> target(const std::string& path) const override { return files_.target(path); }
  Standing standing(const std::string& path) const override { return files_.standing(path); }
  std::optional<std::vector<Entry>> entries(const std::string& directory, std::size_t most) const override {
    return files_.entries(directory, most);
  }
  std::optional<std::string> text(const std::string& path, std::size_t most) const override {
    return files_.text(path, most);
  }
  bool folds_case(const std::string& path) const override { return files_.folds_case(path); }

 private:
  FileSystem files_;
};

// A folder with links of all kinds.
class Linked {
 public:
  Linked() {
    const std::string root = root_.path();
    std::filesystem::create_directories(root + "/dir/sub");
    ::close(::open((root + "/file").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    for (const auto& [name, target] : {std::pair("link", "dir"),
                                       {"dangling", "nowhere/yet"},
                                       {"loop", "loop"},
                                       {"up", "../.."},
                                       {"dir/out", "/etc"},
                                       {"dir/sub/back", "../../link/sub"},
                                       {"self", "/proc/self/cwd"}})
      std::filesystem::create_symlink(target, root + '/' + name);
  }
  std::string path() const { return root_.path(); }

 private:
  TemporaryFolder root_;
};

constexpr std::array names{"dir", "sub",  "file", "link", "dangling", "loop", "up",
                           "out", "back", "self", ".",    "..",       "",     "new"};

}  // namespace

TEST_CASE("a path means the same whether its links are asked for at once or name by name") {
  const Linked folder;
  const FileSystem files;
  const NameByName slow;
  const KnownLinks known(files);
  for (const char* first : names)
    for (const char* second : names)
      for (const char* third : names)
        for (const char* fourth : {"", "sub", "..", "new"}) {
          const std::string path = std::string("./") + first + '/' + second + '/' + third + '/' + fourth;
          INFO(path);
          const auto expected = real_path(path, folder.path(), slow);
          CHECK(real_path(path, folder.path(), files) == expected);
          CHECK(real_path(path, folder.path(), known) == expected);
          CHECK(real_path(path, folder.path(), KnownLinks(files)) == expected);
        }
}

TEST_CASE("links of the kernel's own, and names that nothing can have, are told alike") {
  const FileSystem files;
  const NameByName slow;
  const std::string long_name(300, 'a');
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "/tmp/..";
  std::string long_path;
  for (int i = 0; i < 1000; ++i) long_path += "/abcdef";
  for (const std::string& path :
       {std::string("/"), std::string("/proc/self"), std::string("/proc/self/exe"),
        std::string("/proc/self/root/etc"), std::string("/proc/self/cwd/x"), std::string("/dev/fd/0"),
        std::string("/dev/stdin"), std::string("/dev/null/x"), '/' + long_name, "/tmp/" + long_name + "/x",
        deep, long_path}) {
    INFO(path);
    CHECK(real_path(path, "/", files) == real_path(path, "/", slow));
  }
}

TEST_CASE("of a path without links the file system says so, and of one with a link it does not") {
  const Linked folder;
  const FileSystem files;
  const std::string root = folder.path();
  for (const char* path : {"/link", "/link/sub", "/dangling", "/dangling/x", "/loop", "/dir/out/passwd"}) {
    INFO(path);
    CHECK(files.may_have_links(root + path));
  }
  // A kernel or a sandbox without the question: everything may.
  if (files.may_have_links("/")) return;
  for (const char* path : {"", "/dir", "/dir/sub", "/file", "/new", "/new/x", "/file/x"}) {
    INFO(path);
    CHECK_FALSE(files.may_have_links(root + path));
  }
}
