#pragma once
// callgate.toml: the operator's configuration. Every key of the format is known; those of parts that are not
// built yet have no effect, and `inert` names them. Unknown keys are errors with a suggestion.

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "ledger/writer.hpp"
#include "proxy/base/error.hpp"

namespace proxy {

struct ServerConfig {
  std::vector<std::string> environment;  // names of variables to pass on to this server
};

// A place that keeps copies of signed heads (proxy/anchors).
struct AnchorConfig {
  enum class Kind { file, git, syslog, webhook };
  Kind kind = Kind::file;
  std::string place;        // file, repository, log file to read back (empty: the journal), address
  std::string ref, remote;  // git: `refs/…`; to push to, empty: nowhere
  std::string secret_file;  // webhook: HMAC key; empty: none
  bool operator==(const AnchorConfig&) const = default;
};

struct Config {
  bool unattended = false;  // nobody is there to answer: ASK is DENY
  std::chrono::milliseconds ask_timeout = std::chrono::minutes(10);
  ledger::Durability durability = ledger::Durability::disk;
  std::map<std::string, std::chrono::milliseconds>
      client_limits;  // client name → how long it waits for a call
  std::map<std::string, ServerConfig> servers;
  std::vector<AnchorConfig> anchors;
  std::chrono::milliseconds operational = std::chrono::days(90);  // how long payloads are kept
  std::vector<std::string> inert;  // keys that are set and not acted on by this version
};

// An absent file is the default configuration. Error: place `file:line:column`.
base::Result<Config> load_config(const std::string& path);
base::Result<Config> parse_config(const std::string& text, const std::string& path);

}  // namespace proxy
