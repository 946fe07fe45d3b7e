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

#include "policy/rule.hpp"
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

// What a program does with its operands. Options that are not known to be harmless make the run opaque where
// `harmless_options` is stated; else the listed `opaque_options` do.
struct CommandEntry {
  std::vector<EffectKind> operands;
  std::vector<EffectKind> last;  // of the last operand when there are two or more; empty: as the others
  bool recursive = false;
  std::vector<std::string> recursive_options;
  std::vector<std::string> opaque_options;
  std::vector<std::string> harmless_options;
  std::vector<std::string> pattern_options;  // without one of them the first operand is a pattern, no path
  std::vector<std::string> value_options;    // take the next word, unless it is glued
  std::vector<std::string> whole_options;    // names that also begin an opaque one, and are none
  std::vector<std::string> opaque_words;     // the same for whole words, wherever they stand
  std::vector<std::string> opaque_pairs;     // `clone -u`: a word and, after it, an option
  std::vector<std::string> opaque_starts;    // of a word, or of an option's value
  std::vector<std::string> outside_reads;  // subcommands: an operand outside the workspace makes all be read
  bool first_is_pattern = false;
  bool first_is_subcommand = false;  // the word after the program names no file
  bool starts_first = false;         // operands stand before the first option
  bool guess = false;                // operands are guessed, as of a program that is not listed
  bool opaque = false;               // whatever its words: they are code, or run what they name
  bool own_directory = false;        // runs what its directory tells it to
  bool lists_harmless = false;
};

struct Catalogue {
  std::map<std::string, CatalogueEntry, std::less<>> servers;
  std::map<std::string, CommandEntry, std::less<>> commands;
  std::vector<std::string> neutral_variables;  // globs

  const CatalogueEntry* server(std::string_view name) const;
  const CommandEntry* command(std::string_view program) const;
  bool neutral_variable(std::string_view name) const;
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
