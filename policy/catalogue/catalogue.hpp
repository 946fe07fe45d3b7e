#pragma once
// What well-known servers' tools and well-known programs do with their arguments: data embedded from
// catalogue/tools.toml and catalogue/commands.toml. Parsed once, at first use.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "policy/command/entry.hpp"
#include "policy/rule/rule.hpp"
#include "proxy/base/error.hpp"

namespace policy {

struct CatalogueTool {
  ToolDeclaration declaration;  // its server pattern is empty: the entry is bound by the command line
  bool recursive = false;       // its reads cover everything below
};

// One server, and the command lines it stands for.
struct CatalogueEntry {
  std::string name;
  std::vector<std::string> packages;  // npm, PyPI
  std::vector<std::string> programs;  // base names
  std::vector<std::string> modules;   // python -m
  bool roots = false;  // relative paths start at the folders in its arguments, or at the agent's roots
  std::map<std::string, CatalogueTool, std::less<>> tools;
};

struct Catalogue {
  std::map<std::string, CatalogueEntry, std::less<>> servers;
  command::Entries commands;                   // by `PROGRAM`, `PROGRAM SUBCOMMAND`
  std::vector<std::string> neutral_variables;  // globs
  std::vector<std::string> special_variables;  // globs

  const CatalogueEntry* server(std::string_view name) const;
  const command::Entry* command(std::string_view program) const;
  // Changes how output looks, not what runs.
  bool neutral_variable(std::string_view name, std::string_view value) const;
  // Changes what runs also where a shell sets it for itself alone.
  bool special_variable(std::string_view name) const;
};

// From the text of the two files. Error: which key, with place.
base::Result<Catalogue> parse_catalogue(std::string_view tools_toml, std::string_view commands_toml);

// The embedded one.
std::shared_ptr<const Catalogue> built_in_catalogue();

struct ServerIdentity {
  std::string name;                       // given, else the entry's, else the program's base name
  const CatalogueEntry* entry = nullptr;  // of the embedded catalogue; lives as long as the program
  std::vector<std::string> arguments;     // the words after what makes it that entry
};

// Which server a command line starts: a listed program directly, `node …/node_modules/PACKAGE/…`,
// `npx [-y] PACKAGE[@VERSION]`, `uvx PACKAGE`, `python -m MODULE`. Anything else in the line: no entry.
ServerIdentity identify(const std::vector<std::string>& command, const std::string& given_name);

// The entry of a server whose command line is not known: the one asked for (empty: none), else the one that
// has the server's name; empty: there is none. Error: the one asked for is not there; says which are.
base::Result<std::string> entry_without_command(const std::optional<std::string>& asked,
                                                const std::string& server);

}  // namespace policy
