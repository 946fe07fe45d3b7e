#pragma once
// Names of servers, as rules write them.

#include <string>

namespace proxy {

// Whether it can stand in `SERVER/TOOL`: it has no `/`, no blank, no control or hidden character. Empty: none
// was given.
bool good_server_name(const std::string& name);

}  // namespace proxy
