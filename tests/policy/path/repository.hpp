#pragma once
// A worktree on disk whose repository git itself has made.

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "policy/path/file_system.hpp"
#include "policy/path/tree.hpp"
#include "proxy/base/file.hpp"
#include "tests/policy/verdicts.hpp"
#include "tests/temporary_folder.hpp"

namespace policy_tests {

class Repository {
 public:
  explicit Repository(bool init = true) {
    std::filesystem::create_directories(root());
    if (init) git("init -q");
  }
  std::string root() const { return folder_ / "w"; }
  std::string beside(const char* name) const { return folder_ / name; }

  void file(const std::string& name, const std::string& text = "x") const {
    std::filesystem::create_directories(std::filesystem::path(root() + '/' + name).parent_path());
    REQUIRE(base::write_file(root() + '/' + name, text, 0600).has_value());
  }
  std::string text(const std::string& name) const {
    const auto read = base::read_file(root() + '/' + name, 1u << 20);
    REQUIRE(read.has_value());
    return *read;
  }

  // What git says, in a folder of the worktree.
  std::string git(const std::string& line, const std::string& directory = ".") const {
    const std::string out = folder_ / "out";
    const std::string command =
        "cd '" + root() + '/' + directory + "' && env -i PATH=\"$PATH\" HOME='" + folder_.path().string() +
        "' GIT_CONFIG_NOSYSTEM=1 git -c user.name=a -c user.email=a@b -c protocol.file.allow=always " + line +
        " >'" + out + "' 2>/dev/null </dev/null";
    CAPTURE(command);
    [[maybe_unused]] const int status = std::system(command.c_str());
    const auto said = base::read_file(out, 1u << 24);
    return said ? *said : std::string();
  }
  std::vector<std::string> tracked() const {
    std::istringstream lines(git("ls-files"));
    std::vector<std::string> names;
    for (std::string name; std::getline(lines, name);) names.push_back(name);
    return names;
  }

  // Files and folders below a folder of the worktree, sorted, each once.
  std::vector<std::string> below(policy::GitPart part, const std::string& directory = "") const {
    policy::Trees trees(files_);
    const std::vector<policy::Below>* found = trees.below(root() + directory, part);
    REQUIRE(found != nullptr);
    std::vector<std::string> names;
    for (const policy::Below& each : *found) names.push_back(each.tail);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

  // Of a line in a folder of the worktree, where all is allowed but `.env`.
  policy::Tier tier(const std::string& line, const std::string& directory = "") const {
    const std::string rules =
        "version = 1\ndefault = \"ask\"\n[[allow]]\nid=\"a\"\nrun=[\"*\"]\nread=[\"**\"]\nwrite=[\"**\"]\n"
        "[[deny]]\nid=\"s\"\npath=[\"**/.env\"]\n";
    const std::string workspace = root() + directory;
    auto loaded = policy::Policy::load({{policy::Layer::mission, "t", rules, true}}, workspace, "/home/dev");
    REQUIRE(loaded.has_value());
    return loaded->judge(run(line), {workspace, workspace, "/home/dev", "dev", &files_}).tier;
  }

 private:
  TemporaryFolder folder_;
  policy::FileSystem files_;
};

}  // namespace policy_tests
