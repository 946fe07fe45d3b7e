#pragma once
// What a workspace holds that a first policy should know: languages by their files, folders of sources,
// servers in the configurations of agents. Starts nothing.

#include <string>
#include <vector>

#include "proxy/base/error.hpp"
#include "proxy/starter/starter.hpp"

namespace proxy::starter {

struct Search {
  Found found;
  std::vector<std::string> unread;  // configurations that stand there and say nothing, each with the reason
};

Search find(const std::string& workspace);

// The servers of one configuration (`mcpServers` or `servers`). `file`: how it is shown. Error: no strict
// JSON.
base::Result<std::vector<Server>> read_servers(const std::string& file, std::string_view json);

}  // namespace proxy::starter
