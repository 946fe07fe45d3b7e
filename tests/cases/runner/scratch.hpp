#pragma once
// The folders of one case: made from its folder, removed at the end.

#include <filesystem>
#include <string>

#include "examples/agent/player.hpp"

namespace cases {

using agent::Json;

struct Programs {
  std::string callgate;
  std::string workshop;
};

class Scratch {
 public:
  // Throws when it cannot be made.
  Scratch(const std::filesystem::path& case_folder, const Programs& programs);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // A file of the case with its variables replaced; empty when the case has none.
  std::string text(const std::string& name) const;
  // case.json, or an empty object.
  Json options() const;
  // `callgate run … -- server` as the case wants it.
  agent::Start start() const;
  // What steps run with.
  agent::Setting setting() const;

  std::filesystem::path server_log() const { return root_ / "server.log"; }
  std::filesystem::path errors() const { return root_ / "stderr.txt"; }

 private:
  void copy_files() const;
  void place_policy() const;
  void spoil_state() const;
  agent::Environment environment() const;
  std::filesystem::path workspace() const { return root_ / "workspace"; }

  std::filesystem::path case_;
  std::filesystem::path root_;
  Programs programs_;
  std::map<std::string, std::string> variables_;
};

}  // namespace cases
