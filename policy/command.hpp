#pragma once
// What a command line or an argv would run, and the word lists under which rules compare it.
// For now a line is read only when it is one plain sequence of words; policy/shell/ replaces
// read_command_line by a reader of the whole grammar, behind the same signature.

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/effect.hpp"

namespace policy {

enum class Shell { sh, bash, zsh, none };  // none: the string is one program name
const char* name(Shell shell);

// Opaque: an allow needs `opaque = true`; the one command then holds every word-like token of the line, each of
// which may be where a program starts.
struct LineReading {
  std::vector<Command> commands;
  bool opaque = false;
  std::string note;  // why opaque
};

// A string given to a shell. Words outside quotes that the shell would expand or split make it opaque.
LineReading read_command_line(std::string_view line, Shell shell = Shell::sh, const std::string& directory = {});

// An argv taken as it is. Opaque when empty.
LineReading read_argv(std::vector<std::string> words, const std::string& directory = {});

// One word list to compare a command pattern with.
struct CommandForm {
  std::string_view program;
  std::span<const std::string> rest;
};

// The forms of one command. Borrows from the command: keep it alive and unmoved.
class CommandForms {
 public:
  // For deny and ask: as written, by base name, behind every wrapper, past options that stand before a
  // subcommand; of an opaque command from every word on.
  static CommandForms generous(const Command& command, bool opaque);
  // For allow: one form, behind transparent wrappers only, by base name only in system folders.
  static CommandForms strict(const Command& command);

  CommandForms(CommandForms&&) = default;  // deque keeps its strings in place
  CommandForms& operator=(CommandForms&&) = default;
  const std::vector<CommandForm>& forms() const { return forms_; }

 private:
  CommandForms() = default;
  void add(std::string_view program, std::span<const std::string> rest);
  void add_generous(std::span<const std::string> words, int depth);
  void add_wrapped(std::string_view program, std::span<const std::string> words, int depth);
  void add_line(std::string_view line, int depth);

  std::deque<std::vector<std::string>> owned_;  // words of lines inside words
  std::vector<CommandForm> forms_;
};

// Whether a program of this base name changes the user it runs as.
bool elevates(std::string_view program);
std::string_view base_name(std::string_view program);

}  // namespace policy
