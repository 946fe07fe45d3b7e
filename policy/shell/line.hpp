#pragma once
// What a line would run: its simple commands one by one, each with what is known of it. Loops over known
// words are followed word by word; of branches each is followed, and what they leave different is not known.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/shell/argument.hpp"
#include "policy/shell/dialect.hpp"
#include "policy/shell/state.hpp"
#include "policy/shell/tree.hpp"
#include "proxy/base/error.hpp"

namespace policy::shell {

// What a command finds on its standard input.
struct Input {
  enum class Sort {
    inherited,
    given,    // a pipe or a file
    literal,  // `text`: a here-document or a here-string
  };
  Sort sort = Sort::inherited;
  std::string text;
};

struct Opened {
  Redirect::Kind kind =
      Redirect::Kind::read;  // read, write, append, read_write, both, append_both, duplicate
  Argument target;
};

struct Declared {
  std::string name;
  Argument value;
  bool list = false;  // `NAME=(…)`, `NAME[…]=…`
};

struct Simple {
  std::vector<Argument> words;  // empty: redirections or assignments alone
  std::vector<std::pair<std::string, Argument>> assignments;
  std::vector<Declared> declared;  // what `declare` and its like are given to set
  std::vector<Argument> listed;    // patterns that the shell itself replaces by the names that match
  std::vector<Opened> opened;
  bool may_not_open = false;             // one of them: then the shell does nothing of it
  std::vector<std::string> directories;  // runs in one of these; empty: not known
  Input input;
  std::string trouble;   // why more may run than is told here; empty: nothing more does
  std::string line;      // as written
  bool builtin = false;  // done by the shell itself, which has no effect but on the shell
};

// Error as of parse(), and where the dialect's shells differ; Code::limit also when there are more than
// commands_max of them, or what they do takes too long to follow. `start`: what is known where the line
// begins.
base::Result<std::vector<Simple>> read_line(std::string_view line, Dialect dialect,
                                            const Surroundings& surroundings, State start, Input input = {});

}  // namespace policy::shell
