#pragma once
// What a command line or an argv would run, and the word lists under which rules compare it.
// For now a line is read only when it is one plain sequence of words; policy/shell/ reads the whole grammar,
// and comes to stand behind the same signature.

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/effect.hpp"
#include "policy/pattern.hpp"
#include "policy/steps.hpp"

namespace policy {

enum class Shell { sh, bash, zsh, none };  // none: the string is one program name
const char* name(Shell shell);

// Opaque: an allow needs `opaque = true`; the one command then holds every word-like token of the line, each
// of which may be where a program starts.
struct LineReading {
  std::vector<Command> commands;
  bool opaque = false;
  std::string note;  // why opaque
};

// A string given to a shell. Words outside quotes that the shell would expand or split make it opaque.
LineReading read_command_line(std::string_view line, Shell shell = Shell::sh,
                              const std::string& directory = {});

// The same without telling whether it is elevated: what that question itself is answered with.
LineReading split_command_line(std::string_view line, const std::string& directory = {});

// An argv taken as it is. Opaque when empty.
LineReading read_argv(std::vector<std::string> words, const std::string& directory = {});

// One word list to compare a command pattern with: a program and what follows it.
struct CommandForm {
  std::string_view program;
  std::span<const std::string> rest;
};

// The forms of one command. Borrows from the command: keep it alive and unmoved.
class CommandForms {
 public:
  // For deny and ask: as written, by base name and behind every wrapper; of a line that is not
  // plain words (Command::line) from every word on.
  static CommandForms generous(const Command& command, bool opaque);
  // For allow: as it stands and behind transparent wrappers (the innermost last), by base name only in system
  // folders.
  static CommandForms strict(const Command& command);

  CommandForms(CommandForms&&) = default;  // a deque keeps its strings in place when moved
  CommandForms& operator=(CommandForms&&) = default;
  CommandForms(const CommandForms&) = delete;
  CommandForms& operator=(const CommandForms&) = delete;
  const std::vector<CommandForm>& forms() const { return forms_; }

 private:
  CommandForms() = default;
  std::deque<std::vector<std::string>> owned_;  // words of lines inside words
  std::vector<CommandForm> forms_;
  friend class FormCollector;
};

// Whether the first words of the form are the pattern's, exactly.
bool matches_exactly(const CommandPattern& pattern, const CommandForm& form);
// The same, past options that stand before a subcommand (`git -C dir push` is `git push`). Past
// `options_skipped_max` of them it is true: size must not loosen.
bool matches_generously(const CommandPattern& pattern, const CommandForm& form, Steps& steps);
inline constexpr std::size_t options_skipped_max = 1024;

// Whether a program of this base name changes the user that commands run as.
bool elevates(std::string_view program);
// Whether some form of the command runs such a program.
bool runs_elevated(const CommandForms& generous);
std::string_view base_name(std::string_view program);

}  // namespace policy
