#pragma once
// From a command line or an argv to effects: what runs, and what each program does with its words, by the
// catalogue. What is not known is opaque.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/command/entry.hpp"
#include "policy/command/sorted_words.hpp"
#include "policy/describe/effect_list.hpp"
#include "policy/shell/line.hpp"

namespace policy::command {

inline constexpr std::size_t wrapped_max = 16;          // commands in commands
inline constexpr std::size_t lines_looked_at_max = 32;  // of the words of a program that is not known
inline constexpr std::size_t hidden_looks_max = 32;  // directories looked through for lists of ignored names

// Where, and under what, a command runs.
struct Place {
  std::string directory;
  bool directory_known = true;
  std::string opaque;    // why more may run than its words say; empty: nothing more does
  bool inner = false;    // another command decides: this one counts for deny and ask, never helps to allow
  bool guessed = false;  // it may run, or not: so do all its effects
  bool elevated = false;
  bool revision = false;  // an operand may be one, so that git looks at more than it tracks now
  shell::Input input;
  std::optional<std::vector<Argument>> parameters;  // of a line: `$0`, `$1`, …; nullopt: not known
  std::vector<Wrapping> wrapped_in;
  std::vector<std::string> sources;  // what is copied with all below it, where that is known
  bool found = false;                // its words that are no known ones are what was found below a folder
  std::vector<NameGlob> kept;        // of files below what is read only these, if there are any
  bool by_names = false;  // … as the program looks at them: also where it writes, not where it is given them
  std::vector<std::string> dropped;  // folders that are not looked into
  bool visible = false;              // of what is below what is read no hidden names
  network::Request request;          // how a program connects
  std::optional<std::string> sent;   // what it sends, as far as its words say
  std::size_t depth = 0;
};

// A pattern for names, taken apart: the directory before its first component with a wildcard, and the others.
struct Globbed {
  std::string directory;
  std::vector<NameGlob> names;  // empty: some of them may go any way down
};

// gitglossary(7), «pathspec».
struct Pathspec {
  std::string path;    // without its magic
  bool top = false;    // from the top of the worktree
  bool whole = false;  // its text does not say which: anything there
  bool literal = false;
};

// Each adds what runs to the list, and tells why not all of what it does is known; empty: it is.
class Runs {
 public:
  Runs(EffectList& list, Origin origin) : list_(list), origin_(std::move(origin)) {}

  std::string line(std::string_view text, Shell shell, const Place& place);
  std::string argv(const std::vector<Argument>& words, const Place& place);

 private:
  // run_line.cpp
  std::string simple(const shell::Simple& simple, const Place& place);
  void redirections(const shell::Simple& simple, const Place& place);
  void matched_names(std::string_view pattern, std::size_t first, const Place& place);
  std::string opaque_line(std::string_view text, const Place& place, std::string why);
  std::string environment(const std::vector<std::pair<std::string, Argument>>& assignments,
                          const Entry* entry, const Place& place);

  // run_words.cpp, run_wrapped.cpp, run_meaning.cpp, run_requests.cpp, and of copies run_paths.cpp,
  // run_globs.cpp
  struct Program;
  std::string unlisted(const std::vector<Argument>& words, const Place& place);
  void may_wrap(const std::vector<Argument>& words, Command& command) const;
  std::string listed(const std::string& name, const Entry& listed, const std::vector<Argument>& words,
                     const Place& place);
  void options(Program& program, const Place& named);
  void wrapped(Program& program);
  void operands(Program& program, const Place& named);
  void without_operands(Program& program, const Place& named);
  void tell(const Program& program, Effect& run) const;
  void other_program(const std::vector<Argument>& words, const Place& place);
  void meaning(const Meaning& meaning, const Place& place, bool recursive, std::string& trouble);
  bool is_whole(const Argument& word, const Place& place) const;
  Place beside_link(const SortedWords& sorted, const Place& place) const;
  void destinations(const SortedWords& sorted, bool below, const Place& place);
  void copied_below(const std::string& directory, const Globbed& sources, const Place& place,
                    const Origin& from);
  void scripts(const SortedWords& sorted, const Place& place, std::string& trouble);
  void requests(const SortedWords& sorted, Place& place) const;
  void data(const Argument& word, const Place& place, bool named, std::string& trouble);
  std::string code(const SortedWords& sorted, const Place& place);

  // run_placed.cpp
  void note_placed(const Program& program, std::size_t first);
  std::vector<Placed> brought(const SortedWords& sorted, const Place& work);
  void copied(const SortedWords& sorted, const Place& work, bool links, std::vector<Placed>& found) const;

  // run_place.cpp
  Place inside(const Entry& entry, bool transparent, std::span<const Argument> outer, const Place& place,
               bool whole) const;
  std::string run_on_found(const SortedWords& sorted, std::span<const Argument> words, std::size_t number,
                           const Place& place);
  std::string run_on_any(std::vector<Argument> command, const Entry& entry, const Place& place);
  void work_there(const SortedWords& sorted, Place& work, std::string& trouble) const;
  void narrow(const SortedWords& sorted, Place& work) const;
  std::optional<Place> looks_at(const SortedWords& sorted, const Place& work) const;
  void linked_below(const Roles& roles, const std::string& directory, const Place& place);
  void keep_names(std::size_t first, const Place& place);
  void leave_hidden(std::size_t first);
  void allowed_as(Effect& run, const SortedWords& sorted) const;
  bool elsewhere(const Entry& entry, const Place& place) const;
  std::string other_repository(const SortedWords& sorted, const Place& place);

  // run_paths.cpp, run_globs.cpp, run_trees.cpp; guesses run_meaning.cpp
  void path(Roles roles, const Argument& word, bool recursive, const Place& place);
  void add_path(Roles roles, const Argument& word, bool recursive, const Place& place);
  void maybe_tree(Roles roles, const Argument& word, bool recursive, const Place& place,
                  std::string& trouble);
  bool may_be_revision(const SortedWords& sorted, std::span<const Argument> words, const Place& place) const;
  std::vector<std::string> worktree_tops(const Place& place) const;
  void pathspec(const Roles& roles, std::string_view text, const Place& place);
  void pathspec_from(const Roles& roles, const Pathspec& spec, const Place& from);
  void labelled(std::string_view text, const Roles& roles, bool below, const Place& place);
  void package(const Argument& word, const Place& place, std::string& trouble);
  void glob(const Roles& roles, const Argument& word, bool recursive, const Place& place);
  void address(const Argument& word, const Place& place);
  void points(const Argument& word, const Place& place);
  void remote(Roles roles, const Argument& word, bool recursive, const Place& place);
  void outside(const Argument& word, const Place& place);
  void host(const Argument& word, const Place& place);
  void not_known(EffectKind kind, std::string note, const Place& place);

  // For deny and ask: the word may be a path or an address.
  void guess(std::string word, const Place& place);
  // For deny and ask: the value may be a line, behind `!` or `NAME=` too.
  void maybe_line(const Argument& word, const Place& place);
  Effect run_effect(const std::vector<Argument>& words, const Place& place) const;
  Origin origin(const Place& place) const { return {origin_.argument, origin_.guessed || place.guessed}; }

  EffectList& list_;
  const Origin origin_;
  std::map<std::string, bool, std::less<>> leaves_hidden_;  // by the directory that is read
  std::map<std::string, bool> enters_others_;               // by where the repository is
};

// Whether a name or path is one that an allow knows a program by: bare, or in a folder of the system.
bool trusted_program(std::string_view program);
// An argv as it is given.
std::vector<Argument> known_words(const std::vector<std::string>& words);
// What is done to a path.
std::vector<EffectKind> kinds_of(const Roles& roles);
// A shell's pattern for paths.
Globbed take_apart(std::string_view pattern);
// Names that a component of a shell's pattern stands for; more where its brackets are not told apart.
NameGlob name_glob(std::string_view component);
// The text of each word, of one that is not known its beginning.
std::vector<std::string> known_texts(std::span<const Argument> words);
std::string_view base_name(std::string_view program);

}  // namespace policy::command
