#pragma once
// A home, configuration, state and working directory of a test's own, for as long as the object lives.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>

#include "tests/ledger/scratch.hpp"

namespace proxy_tests {

class Desk {
 public:
  Desk() : directory_before_(std::filesystem::current_path()) {
    for (const char* each : {"home", "config/callgate", "state", "work"}) folder(each);
    set("HOME", path("home"));
    set("XDG_CONFIG_HOME", path("config"));
    set("XDG_STATE_HOME", path("state"));
    enter("work");
  }
  ~Desk() {
    std::filesystem::current_path(directory_before_);
    for (const auto& [name, value] : before_)
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  void folder(const std::string& name) const { std::filesystem::create_directories(path(name)); }
  void file(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  void link(const std::string& to, const std::string& name) const {
    std::filesystem::create_symlink(path(to), path(name));
  }
  void enter(const std::string& name) const { std::filesystem::current_path(path(name)); }
  void set(const std::string& name, const std::string& value) {
    const char* now = std::getenv(name.c_str());
    before_.emplace(name, now == nullptr ? std::nullopt : std::optional<std::string>(now));
    ::setenv(name.c_str(), value.c_str(), 1);
  }

 private:
  scratch::Folder folder_;
  std::filesystem::path directory_before_;
  std::map<std::string, std::optional<std::string>> before_;
};

}  // namespace proxy_tests
