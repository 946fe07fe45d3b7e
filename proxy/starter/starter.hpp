#pragma once
// A first policy for a repository: what stands in it goes in, the text of a policy file comes out. Pure; the
// parts are data (policy.toml, languages.toml).

#include <string>
#include <string_view>
#include <vector>

namespace proxy::starter {

struct Language {
  std::string id;                                                          // of its rules: `ID/runs-code`
  std::string title;                                                       // for people
  std::vector<std::string> markers, sources, runs_code, publishes, looks;  // languages.toml says which
};

// The embedded ones.
const std::vector<Language>& languages();

// A server that an agent's configuration starts.
struct Server {
  std::string file;      // the configuration, from the workspace
  std::string key;       // its name there
  std::string name;      // as rules name it, and `callgate run` without `--name`
  std::string program;   // base name; empty: no command starts it
  std::string entry;     // of the catalogue; empty: it knows none
  bool guarded = false;  // starts behind `callgate run` already
};

struct Found {
  std::vector<const Language*> languages;
  std::vector<std::string> folders;  // those of their `sources` that stand
  std::vector<Server> servers;
};

// It loads, and `policy check` has nothing to say of it. What a repository's files say stands in comments
// and strings only, escaped.
std::string policy_text(const Found& found);

}  // namespace proxy::starter
