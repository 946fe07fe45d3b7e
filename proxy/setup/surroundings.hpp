#pragma once
// Where this process stands: folders, workspace, operator. Each command reads it once and passes it on.

#include <string>

#include "proxy/base/error.hpp"
#include "proxy/base/sha256.hpp"

namespace proxy {

struct Surroundings {
  std::string home;
  std::string user;
  std::string directory;  // working directory, absolute
  std::string workspace;  // --workspace, else the git top level of `directory`, else `directory`; real path
  std::string config_folder;  // $XDG_CONFIG_HOME/callgate, else ~/.config/callgate
  std::string state_folder;   // $XDG_STATE_HOME/callgate, else ~/.local/state/callgate
};

// From the environment, the account and the working directory. `workspace` empty: found from the working
// directory. Error: no home, no working directory, no such workspace.
base::Result<Surroundings> find_surroundings(const std::string& workspace = {});

// The same for who lets a policy speak of the workspace. Error, too: nobody named one, and it would be a
// whole home folder, or all above it.
base::Result<Surroundings> find_workspace(const std::string& workspace);

// By which records name a workspace.
base::Digest workspace_digest(const std::string& workspace);

}  // namespace proxy
