#pragma once
// `callgate run`: builds everything for one agent and one server, carries the session, and closes what it
// opened.

#include <string>
#include <vector>

#include "proxy/base/error.hpp"

namespace proxy {

struct RunOptions {
  std::vector<std::string> command;      // the server's
  std::string name;                      // --name
  std::string policy;                    // --policy
  std::string mission;                   // --mission
  std::string workspace;                 // --workspace
  std::vector<std::string> environment;  // --env NAME or NAME=VALUE
};

// The exit code: 0 the agent ended the session, 1 the server ended it or could not be started, 2 there is no
// such command or mission. Error: a name that is none, no surroundings, or an unreadable configuration.
base::Result<int> run(const RunOptions& options);

}  // namespace proxy
