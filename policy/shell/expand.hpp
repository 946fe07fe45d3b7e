#pragma once
// A word as the shell expands it: quotes, braces, tildes, variables, splitting, globs. POSIX.1-2017, «Shell
// Command Language», 2.6; Bash Reference Manual 5.2, «Shell Expansions».

#include <string>
#include <string_view>
#include <vector>

#include "policy/shell/argument.hpp"
#include "policy/shell/state.hpp"

namespace policy::shell {

struct Expansion {
  std::vector<Argument> words;
  std::vector<const List*> lists;     // run while the word is expanded, in this order
  std::vector<std::string> assigned;  // variables that are numbers now
  bool may_fail = false;              // to a shell it may be an error
  std::string trouble;                // why more may run than these; empty: nothing more does
};

class Expander {
 public:
  // `line`: where the spans of the words point to.
  Expander(std::string_view line, const Surroundings& surroundings) : line_(line), around_(surroundings) {}

  // As an argument: none, one or several words.
  Expansion words(const Word& word, const State& state) const;
  // As a value, a redirection's target or a here-document: exactly one word, neither split nor a glob.
  Expansion single(const Word& word, const State& state) const;
  // What runs when this is evaluated as arithmetic.
  Expansion arithmetic(const Word& word, const State& state) const;

 private:
  friend class Fields;
  std::string_view line_;
  const Surroundings& around_;
};

// Of `text` as a pattern for file names that matches nothing but it.
std::string escaped_glob(std::string_view text);

}  // namespace policy::shell
