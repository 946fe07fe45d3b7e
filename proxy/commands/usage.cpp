#include "proxy/commands/usage.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <vector>

#include "proxy/base/text.hpp"

namespace proxy::commands {
namespace {

// `callgate ledger list`
std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return (parent == nullptr ? "" : path_of(*parent) + " ") + command.get_name();
}

std::vector<std::string> commands_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(each->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_words(const CLI::App& command) {
  const auto options = command.get_options();
  return std::any_of(options.begin(), options.end(),
                     [](const CLI::Option* option) { return option->get_positional(); });
}

std::string unknown(const char* kind, const std::string& word, const std::vector<std::string>& known) {
  const std::string_view near = base::nearest(word, known);
  return std::string("unknown ") + kind + " " + base::quoted(word) +
         (near.empty() ? "" : "; did you mean " + base::quoted(near) + "?");
}

std::string see_help(const CLI::App& command, const char* what) {
  return " (`" + path_of(command) + " --help` lists " + what + ")";
}

// `word` is the first that `command` had no place for.
std::string unexpected(const CLI::App& command, const std::string& word) {
  if (word.size() > 1 && word.front() == '-')
    return unknown("option", word.substr(0, word.find('=')), options_of(command)) +
           see_help(command, "the options of this command");
  if (const auto commands = commands_of(command); !commands.empty())
    return unknown("command", word, commands) + see_help(command, "the commands");
  if (command.get_name() == "run")
    return base::quoted(word) +
           " is no option: the server's command stands behind `--`, as in `callgate run -- " +
           base::printable(word) + "`";
  return base::quoted(word) + " is one word too many: `" + path_of(command) + "` takes " +
         (takes_words(command) ? "no more of them" : "none") + see_help(command, "what it takes");
}

}  // namespace

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = &app;
  for (;;) {
    if (const auto left = command->remaining(); !left.empty()) return unexpected(*command, left.front());
    const auto chosen = command->get_subcommands();
    if (chosen.empty()) break;
    command = chosen.front();
  }
  if (!commands_of(*command).empty())
    return "`" + path_of(*command) + "` needs a command" + see_help(*command, "them");
  return base::printable(error.what(), 1000) + see_help(*command, "what it takes");
}

}  // namespace proxy::commands
