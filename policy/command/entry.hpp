#pragma once
// What one program does with its words: an entry of catalogue/commands.toml, whose head says what each key
// means.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "policy/command/role.hpp"
#include "policy/pattern/glob.hpp"
#include "proxy/base/by_text.hpp"

namespace policy::command {

struct Option {
  enum class Takes { nothing, value, glued_value };  // glued_value: only one that stands in the same word
  Takes takes = Takes::nothing;
  Roles roles;
  bool operator==(const Option&) const = default;
};

struct Entry {
  // How options are written.
  enum class Style {
    getopt,  // clusters of letters; long ones by any unique beginning; between operands, too
    posix,   // the same, but none behind the first operand
    single,  // `-name`, each a word of its own
    find,    // operands, then an expression of `-name` words
  };
  Style style = Style::getopt;
  std::map<std::string, Option, std::less<>> options;  // by `-x`, `--name`, `-name`; `NAME` of `NAME=VALUE`
  bool any_option = false;                             // what is not listed means nothing
  std::vector<Roles> operands;   // by place; the last for all that follow. Empty: they mean nothing
  Roles last;                    // of the last of two or more operands
  Roles here;                    // of the working directory, where it writes with all below
  bool here_alone = false;       // … only where no operand stands
  bool recursive = false;        // paths cover all below them
  bool first_is_bundle = false;  // `tar xf a`: the first word is letters
  bool assigns = false;          // `NAME=VALUE` before the command sets its environment
  bool appends = false;          // words that are not known follow those of the command
  bool operands_moved = false;   // a directory counts for operands and `here` alone, not for options
  bool transparent = false;      // an allow of the command inside covers it
  bool elevates = false;
  bool opaque = false;             // whatever its words
  bool own_directory = false;      // runs what its directory tells it to
  bool own_repository = false;     // … what the repository there tells it to
  bool visits_submodules = false;  // git: starts itself in these
  bool one_dash = false;           // long options also behind one `-`
  bool glued = false;              // style single: a value may be glued to an option of one letter
  bool subcommands = false;        // the first operand names one: the entry `PROGRAM NAME`
  bool named = false;              // of a subcommand: its name is its first operand
  bool stdin_code = false;         // without an operand it runs what it reads
  bool stdin_line = false;         // … as a shell does
  // Of a request it makes, by the option; `else`: where none of these is given.
  std::map<std::string, std::string, std::less<>> methods;
  // Of an option, by its name: the values that are understood. Another makes the run opaque.
  std::map<std::string, std::vector<Glob>, std::less<>> values;
  std::vector<std::string> opaque_starts;  // of a word, blanks aside, or of an option's value
  std::vector<std::string> opaque_holds;   // anywhere in a word
  std::vector<Glob> opaque_shapes;         // of a whole word
  std::vector<NameGlob> names;             // of files below what it reads or rewrites only these; empty: all
  std::vector<std::string> neutral;        // variables that change nothing for this program; globs
  // Where one of the options is given, these keys count in place of its own.
  struct With {
    std::vector<std::string> options;
    std::shared_ptr<const Entry> entry;
  };
  std::vector<With> with;
};

using Entries = base::ByText<Entry>;

}  // namespace policy::command
