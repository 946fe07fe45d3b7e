// What a program runs: the commands, lines and code among its words.

#include <algorithm>

#include "policy/command/awk_program.hpp"
#include "policy/command/keep_first.hpp"
#include "policy/command/run_program.hpp"
#include "policy/command/sed_script.hpp"

namespace policy::command {

namespace {

// For a shell to run.
struct Line {
  Argument text;
  std::optional<std::vector<Argument>> parameters;
};

std::vector<Line> lines_of(const SortedWords& sorted) {
  std::vector<Line> lines;
  for (const Meaning& each : sorted.options)
    if (each.roles.has(Role::line)) lines.push_back({each.word, {}});
  for (auto at = sorted.operands.begin(); at != sorted.operands.end(); ++at) {
    if (!at->roles.any({Role::line, Role::rest_line})) continue;
    std::vector<Argument> behind;
    for (auto other = at + 1; other != sorted.operands.end(); ++other) behind.push_back(other->word);
    const auto any = [&](bool (*test)(const Argument&)) {
      return std::any_of(behind.begin(), behind.end(), test);
    };
    if (at->roles.has(Role::rest_line)) {
      Argument whole = at->word;
      for (const Argument& each : behind) whole.text.append(" ").append(each.text);
      if (any([](const Argument& word) { return !word.known(); })) whole.sort = Argument::Sort::unknown;
      lines.push_back({std::move(whole), {}});
      break;
    }
    lines.push_back({at->word, std::nullopt});
    if (!any([](const Argument& word) { return word.spread; })) lines.back().parameters = std::move(behind);
  }
  return lines;
}

// What holds a text that is replaced before the command runs is not known.
void replace_in(std::vector<Argument>& command, const SortedWords& sorted) {
  for (const Meaning& each : sorted.options) {
    if (!each.roles.has(Role::replaces)) continue;
    const bool alone = each.word.text.empty() || each.word.is(each.option);
    const std::string replaced = alone ? "{}" : each.word.text;
    for (std::size_t i = 1; i < command.size(); ++i) {
      Argument& word = command[i];
      const std::size_t at = each.word.known() ? word.text.find(replaced) : 0;
      if (at == std::string::npos || !word.known()) continue;
      word.sort = Argument::Sort::unknown;
      word.start = word.text.substr(0, at);
    }
  }
}

}  // namespace

// The commands, lines and code inside.
void Runs::wrapped(Program& program) {
  const auto& [words, sorted, place, work, transparent, trouble, covered] = program;
  const Entry& entry = *sorted.entry;
  program.work.opaque = trouble;
  for (std::size_t i = 0; i < sorted.commands.size(); ++i) {
    if (sorted.on_found.contains(i)) {
      keep_first(program.trouble, run_on_found(sorted, words, i, work));
      continue;
    }
    std::vector<Argument> command = sorted.commands[i];
    replace_in(command, sorted);
    if (entry.appends) {
      command.push_back(shell::unknown_value());
      command.back().text = "…";
      command.back().spread = true;
    }
    program.covered = transparent && sorted.commands.size() == 1;
    keep_first(program.trouble, argv(command, inside(entry, transparent, words, work, false)));
  }
  for (const Line& each : lines_of(sorted)) {
    if (!each.text.known()) {
      keep_first(program.trouble, "a line for a shell that is not known");
      maybe_line({Argument::Sort::known, each.text.text}, work);
      continue;
    }
    const std::string_view name = base_name(words.front().text);
    const Shell shell = name == "bash" ? Shell::bash : name == "zsh" ? Shell::zsh : Shell::sh;
    Place inner = inside(entry, transparent, words, work, true);
    inner.parameters = each.parameters;
    program.covered = transparent;
    keep_first(program.trouble, line(each.text.text, shell, inner));
  }
  std::string code_trouble = code(sorted, work);
  if (code_trouble == "-") {
    program.covered = true;
  } else {
    keep_first(program.trouble, std::move(code_trouble));
  }
}

// Pieces of a script are one, joined by line ends.
void Runs::scripts(const SortedWords& sorted, const Place& place, std::string& trouble) {
  for (const Role role : {Role::sed, Role::awk}) {
    std::string script;
    bool given = false;
    bool known = true;
    for (const std::vector<Meaning>* list : {&sorted.options, &sorted.operands})
      for (const Meaning& each : *list) {
        if (!each.roles.has(role)) continue;
        if (given) script += '\n';
        given = true;
        known = known && each.word.known();
        script += each.word.text;
      }
    if (!given) continue;
    ScriptEffects effects;
    effects.opaque = "a script that is not known before it runs";
    if (known) effects = role == Role::sed ? read_sed_script(script) : read_awk_program(script);
    for (const std::string& file : effects.reads)
      path({Role::read}, {Argument::Sort::known, file}, false, place);
    for (const std::string& file : effects.writes)
      path({Role::write}, {Argument::Sort::known, file}, false, place);
    Place inner = place;
    ++inner.depth;
    inner.wrapped_in.clear();
    inner.input = {shell::Input::Sort::given, {}};
    for (const std::string& each : effects.lines) line(each, Shell::sh, inner);
    keep_first(trouble, std::move(effects.opaque));
    if (!known || !trouble.empty()) guess(script, place);
  }
}

// Without an operand some programs run what they read.
std::string Runs::code(const SortedWords& sorted, const Place& place) {
  const Entry& entry = *sorted.entry;
  if (sorted.only_tells || (!entry.stdin_code && !entry.stdin_line)) return {};
  const bool named = std::any_of(sorted.operands.begin(), sorted.operands.end(),
                                 [](const Meaning& each) { return !each.word.is("-"); }) ||
                     std::any_of(sorted.options.begin(), sorted.options.end(),
                                 [](const Meaning& each) { return each.roles.has(Role::skips); });
  if (named) return {};
  if (entry.stdin_line && place.input.sort == shell::Input::Sort::literal) {
    Place inner = place;
    ++inner.depth;
    inner.input = {};
    std::string trouble = line(place.input.text, Shell::bash, inner);
    return trouble.empty() ? "-" : trouble;
  }
  return "it runs what it reads";
}

}  // namespace policy::command
