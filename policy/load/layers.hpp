#pragma once
// Which policy files stand for one run, read from where they stand.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "policy/policy.hpp"

namespace policy {

struct LayerPlaces {
  std::string organisation = "/etc/callgate/policy.toml";
  std::string user;          // $XDG_CONFIG_HOME/callgate/policy.toml
  std::string workspace;     // its .callgate/policy.toml is the repository layer
  std::string mission;       // --policy FILE; empty: none. Absent file: an error
  std::string state_folder;  // $XDG_STATE_HOME/callgate; empty: only the usual place is guarded
};

std::string repository_file(const std::string& workspace);
// Its bytes; nullopt: there is none. Opened without following links: a link in its place is an error.
base::Result<std::optional<std::string>> read_repository(const std::string& workspace);

// Whether the operator trusted these exact bytes for this workspace (on record).
using Trusted = std::function<bool(const base::Digest& file_bytes)>;

// Reads each layer that exists, and adds built-in denials for the folders of `user` and of the state where
// they really stand. A layer that exists but cannot be read is an error: the caller denies everything.
base::Result<std::vector<Source>> read_layers(const LayerPlaces& places, const Trusted& trusted);

}  // namespace policy
