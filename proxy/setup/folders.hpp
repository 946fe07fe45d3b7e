#pragma once
// Where a server of the catalogue with `roots` starts a relative path: at the folders in its arguments, or at
// the roots that the agent names, which it may do at any time. Absolute paths; several where a text may mean
// several.

#include <optional>
#include <string>
#include <vector>

#include "policy/catalogue/catalogue.hpp"
#include "policy/scene.hpp"
#include "transports/message.hpp"

namespace proxy {

// Where that server starts one besides its working directory, as far as its command line says; nothing: it
// has no roots.
std::optional<std::vector<std::string>> folders_of_server(const policy::ServerIdentity& server,
                                                          const policy::Scene& scene);
std::vector<std::string> folders_of_arguments(const std::vector<std::string>& arguments,
                                              const policy::Scene& scene);
// From the agent's answer to `roots/list`. `/` when it cannot be understood, so that no rule for a folder
// covers what starts there.
std::vector<std::string> folders_of_roots(const transports::Message& answer, const policy::Scene& scene);

}  // namespace proxy
