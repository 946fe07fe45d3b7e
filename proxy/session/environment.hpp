#pragma once
// The environment of a server: what is neutral, and what the operator named. Nothing else of ours is passed
// on.

#include <map>
#include <string>
#include <vector>

namespace proxy {

using Environment = std::map<std::string, std::string>;

Environment own_environment();

struct ServerEnvironment {
  Environment variables;
  std::vector<std::string> secrets;  // values of the variables that were named: redacted from the ledger
  std::vector<std::string> missing;  // names that have no value here: the server does not get them
};

// `named`: NAME (its value here) or NAME=VALUE, of `run --env` and `[servers.S] env`.
ServerEnvironment server_environment(const Environment& own, const std::vector<std::string>& named);

}  // namespace proxy
