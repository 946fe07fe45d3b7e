#pragma once
// The words of a command, sorted into what each is to the program. Options as getopt_long(3) reads them.

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/command/entry.hpp"
#include "policy/shell/argument.hpp"

namespace policy::command {

using shell::Argument;

// An option's value or an operand. Of an option without a value: its name.
struct Meaning {
  Roles roles;
  Argument word;
  std::string option = {};  // as listed; empty: an operand
  std::size_t at = 0;       // its place among the words; of an option without a value the next
};

struct SortedWords {
  const Entry* entry = nullptr;  // of the subcommand, where one is named
  std::size_t start = 0;         // where its own words begin, which places are counted from
  std::vector<Meaning> options;
  std::vector<Meaning> operands;
  std::vector<std::pair<std::string, Argument>> assignments;
  std::vector<std::vector<Argument>> commands;  // what it runs: programs and their words
  // Of these, by number: `{}` stands for what is found, and is a word of its own. Where the program stands.
  std::map<std::size_t, std::size_t> on_found;
  std::string trouble;      // why the words may mean more; empty: they do not
  Roles here;               // of the working directory, where it writes with all below
  bool recursive = false;   // paths cover all below them
  bool only_tells = false;  // its version or its options, and does nothing else
};

// The entry of `PROGRAM NAME`, given NAME; nullptr: there is none.
using FindSubcommand = std::function<const Entry*(std::string_view)>;

// `words`: those behind the program's name.
SortedWords sort_words(const Entry& entry, std::span<const Argument> words, const FindSubcommand& find);

}  // namespace policy::command
