#pragma once
// The folders of one case: made from its folder, removed at the end.

#include <filesystem>
#include <stdexcept>
#include <string>

#include "examples/agent/player.hpp"

namespace cases {

using agent::Json;

struct Programs {
  std::string callgate;
  std::string workshop;
};

// The case needs what is not there.
struct CannotRun : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Scratch {
 public:
  // Throws when it cannot be made, CannotRun where that is nobody's mistake. Before any thread is started.
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
  void place_organisation() const;
  void spoil_state() const;
  agent::Environment environment() const;
  std::filesystem::path workspace() const { return root_ / "workspace"; }

  std::filesystem::path case_;
  std::filesystem::path root_;
  Programs programs_;
  std::map<std::string, std::string> variables_;
};

}  // namespace cases
