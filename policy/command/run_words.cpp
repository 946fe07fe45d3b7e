// One program and its words, by its entry in the catalogue.

#include <algorithm>
#include <array>

#include "policy/command/keep_first.hpp"
#include "policy/command/run_program.hpp"
#include "policy/command/runs.hpp"
#include "policy/command/tokens.hpp"
#include "policy/path/path.hpp"

namespace policy::command {

namespace {

constexpr std::array<std::string_view, 8> system_folders{
    "/bin",           "/sbin",      "/usr/bin",        "/usr/sbin",
    "/usr/local/bin", "/usr/games", "/usr/local/sbin", "/run/current-system/sw/bin"};

const Roles paths{Role::read, Role::write, Role::remove};
const Roles trees{Role::tree, Role::pathspec};

bool is_loader(std::string_view program) {
  return program.starts_with("ld-linux") || program.starts_with("ld-musl") || program == "ld.so";
}

std::string joined(const std::vector<Argument>& words) {
  std::string text;
  for (const Argument& word : words) text.append(text.empty() ? "" : " ").append(word.text);
  return text;
}

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool is_among(const std::vector<Glob>& values, const Argument& word) {
  return word.known() && std::any_of(values.begin(), values.end(),
                                     [&](const Glob& value) { return value.matches(word.text); });
}

// Words that the entry says may run something, wherever they stand.
void suspicious(const SortedWords& sorted, std::span<const Argument> words, std::string& trouble) {
  const Entry& entry = *sorted.entry;
  if (entry.opaque) keep_first(trouble, "a program whose words are code, or run what they name");
  for (const Argument& word : words) {
    const std::string_view text = without_blanks(word.text);
    const std::string_view value = without_blanks(text.substr(text.find('=') + 1));
    for (const std::string& start : entry.opaque_starts)
      if (text.starts_with(start) || value.starts_with(start))
        keep_first(trouble, "a word that names a command");
    for (const std::string& held : entry.opaque_holds)
      if (word.text.find(held) != std::string::npos) keep_first(trouble, "a word that may be code");
    for (const Glob& shape : entry.opaque_shapes)
      if (shape.matches(word.text)) keep_first(trouble, "a word that may run something");
  }
  for (const Meaning& each : sorted.options) {
    const auto known = entry.values.find(each.option);
    if (known != entry.values.end() && !is_among(known->second, each.word))
      keep_first(trouble, "a value that is not known of " + each.option);
  }
}

}  // namespace

std::string_view base_name(std::string_view program) {
  const std::size_t slash = program.rfind('/');
  return slash == std::string_view::npos ? program : program.substr(slash + 1);
}

std::vector<std::string> known_texts(std::span<const Argument> words) {
  std::vector<std::string> texts;
  texts.reserve(words.size());
  for (const Argument& word : words) texts.push_back(word.known() ? word.text : word.start);
  return texts;
}

std::vector<Argument> known_words(const std::vector<std::string>& words) {
  std::vector<Argument> known;
  for (const std::string& word : words) known.push_back({Argument::Sort::known, word});
  return known;
}

bool trusted_program(std::string_view program) {
  const std::size_t slash = program.rfind('/');
  return slash == std::string_view::npos || std::find(system_folders.begin(), system_folders.end(),
                                                      program.substr(0, slash)) != system_folders.end();
}

Effect Runs::run_effect(const std::vector<Argument>& words, const Place& place) const {
  Effect effect;
  effect.kind = EffectKind::run;
  effect.argument = origin_.argument;
  effect.guessed = origin_.guessed || place.guessed || place.inner;
  if (place.directory_known) effect.command.directory = place.directory;
  effect.command.elevated = place.elevated;
  effect.command.wrapped_in = place.wrapped_in;
  effect.command.words.reserve(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].known()) effect.command.unknown.push_back(i);
    if (words[i].text.find('\0') != std::string::npos) effect.refused = "a command with a NUL byte";
    effect.command.words.push_back(place.found && !words[i].known() ? "{}" : words[i].text);
  }
  // `./deploy.sh` is another program in another directory.
  const std::string_view program = words.empty() ? std::string_view() : effect.command.words.front();
  const bool relative = program.find('/') != std::string_view::npos && program.front() != '/';
  effect.command.elsewhere =
      relative && (!place.directory_known || place.directory != list_.scene().directory);
  return effect;
}

// Of programs that the catalogue does not know.
std::string Runs::unlisted(const std::vector<Argument>& words, const Place& place) {
  Effect effect = run_effect(words, place);
  std::string trouble = place.opaque;
  const std::string_view program = base_name(words.front().text);
  if (!effect.command.unknown.empty()) keep_first(trouble, "a word that is not known before it runs");
  if (is_loader(program)) keep_first(trouble, "a program that runs any other");
  effect.opaque = !trouble.empty();
  effect.note = trouble;
  if (!origin_.guessed && !place.guessed) may_wrap(words, effect.command);
  list_.add(std::move(effect));
  other_program(words, place);
  Place maybe = place;
  maybe.guessed = maybe.inner = true;
  ++maybe.depth;
  if (is_loader(program))
    for (std::size_t i = 1; i < words.size(); ++i)
      argv({words.begin() + static_cast<std::ptrdiff_t>(i), words.end()}, maybe);
  return trouble;
}

// Many programs run another that their words name, at their end or as a line.
void Runs::may_wrap(const std::vector<Argument>& words, Command& command) const {
  command.may_wrap = true;
  const shell::Surroundings around{list_.scene().directory, list_.scene().home, list_.scene().user,
                                   list_.scene().links};
  std::size_t left = lines_looked_at_max;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (!words[i].known() || text.find_first_of(" \t\n;") == std::string::npos) continue;
    if (left > 0) --left;
    const auto read = shell::read_line(text, shell::Dialect::bash, around, {});
    if (left == 0 || !read) {
      command.maybe_lines.push_back(tokens_of(text));
      continue;
    }
    for (const shell::Simple& each : *read) {
      std::vector<std::string> line = known_texts(each.words);
      const Entry* entry = line.empty() ? nullptr : list_.catalogue().command(base_name(line.front()));
      const bool wraps =
          entry != nullptr && std::any_of(entry->operands.begin(), entry->operands.end(),
                                          [](const Roles& roles) { return roles.has(Role::command); });
      for (std::size_t inner = 1; wraps && inner < std::min(line.size(), wrapped_max); ++inner)
        command.maybe_lines.emplace_back(line.begin() + static_cast<std::ptrdiff_t>(inner), line.end());
      command.maybe_lines.push_back(std::move(line));
    }
  }
  std::erase_if(command.maybe_lines, [](const std::vector<std::string>& line) { return line.empty(); });
}

// Guesses from the words of what may be any program.
void Runs::other_program(const std::vector<Argument>& words, const Place& place) {
  const Origin guess{origin_.argument, true};
  list_.guess_program(words.front().text, place.directory, guess);
  const std::vector<std::string> texts = known_texts(words);
  // Of what may be no command every word counts.
  list_.guess_words(std::span(texts).subspan(origin_.guessed ? 0 : 1), place.directory, guess);
}

std::string Runs::argv(const std::vector<Argument>& words, const Place& place) {
  if (words.empty()) return opaque_line("", place, "no command");
  const Argument& head = words.front();
  if (!head.known() || head.text.empty())
    return opaque_line(joined(words), place,
                       head.known() ? "an empty program name" : "a program that is computed");
  if (place.depth > wrapped_max) return opaque_line(joined(words), place, "commands wrapped too deeply");
  const std::string program(base_name(head.text));
  const Entry* listed = list_.catalogue().command(program);
  return listed == nullptr ? unlisted(words, place) : this->listed(program, *listed, words, place);
}

std::string Runs::listed(const std::string& name, const Entry& listed, const std::vector<Argument>& words,
                         const Place& place) {
  const SortedWords sorted =
      sort_words(listed, std::span(words).subspan(1), [&](std::string_view subcommand) {
        std::string names = name + ' ' + std::string(subcommand);
        const Entry* found = list_.catalogue().command(names);
        while (found == nullptr && names.size() > name.size()) {
          names.resize(names.rfind(' '));
          found = list_.catalogue().command(names + " *");
        }
        return found;
      });
  const Entry& entry = *sorted.entry;
  // Named by another path it may be any program: as one of that name it is judged all the same, and what it
  // wraps, if it is a wrapper, is never enough.
  const bool itself = trusted_program(words.front().text);
  Program program{words, sorted, place, place, itself && entry.transparent, place.opaque};
  keep_first(program.trouble, sorted.trouble);
  suspicious(sorted, words, program.trouble);
  work_there(sorted, program.work, program.trouble);
  narrow(sorted, program.work);
  keep_first(program.trouble, environment(sorted.assignments, &entry, place));
  keep_first(program.trouble, other_repository(sorted, program.work));
  program.work.revision = may_be_revision(sorted, words, program.work);
  const std::size_t index = list_.effects().size();
  list_.add(run_effect(words, place));
  if (!itself) other_program(words, place);
  requests(sorted, program.work);

  const std::optional<Place> narrowed = looks_at(sorted, program.work);
  const Place& named = narrowed ? *narrowed : program.work;
  options(program, named);
  scripts(sorted, program.work, program.trouble);
  wrapped(program);
  operands(program, named);
  if (!list_.full()) tell(program, list_.effects()[index]);
  note_placed(program, index);
  return std::move(program.trouble);
}

void Runs::options(Program& program, const Place& named) {
  const SortedWords& sorted = program.sorted;
  for (const Meaning& each : sorted.options) {
    const bool below = each.roles.has(Role::below);
    const bool read = below && each.roles.has(Role::read) && !each.roles.has(Role::write);
    const Place& from = sorted.entry->operands_moved ? program.place : read ? named : program.work;
    meaning(each, from, below, program.trouble);
  }
}

void Runs::operands(Program& program, const Place& named) {
  const SortedWords& sorted = program.sorted;
  const Place& work = program.work;
  // What is moved with all below it is written with all below it.
  const bool below = sorted.recursive ||
                     std::any_of(sorted.operands.begin(), sorted.operands.end(), [&](const Meaning& each) {
                       return each.roles.has(Role::whole) && is_whole(each.word, work);
                     });
  for (const Meaning& each : sorted.operands) {
    const bool tree = !each.roles.has(Role::file) && (below || each.roles.has(Role::below));
    if (each.roles.has(Role::target)) {
      meaning(each, beside_link(sorted, work), tree, program.trouble);
    } else {
      meaning(each, named, tree, program.trouble);
    }
  }
  for (const Meaning& suffix : sorted.options) {
    if (!suffix.roles.has(Role::suffix) || suffix.word.text.empty() || !suffix.word.known()) continue;
    for (const Meaning& each : sorted.operands)
      if (each.roles.has(Role::write) && each.word.known())
        path({Role::write}, {Argument::Sort::known, each.word.text + suffix.word.text}, false, work);
  }
  if (sorted.here.any(paths)) without_operands(program, named);
  if (sorted.entry->last.has(Role::write)) destinations(sorted, below, work);
}

// What it does to the directory that it works in.
void Runs::without_operands(Program& program, const Place& named) {
  const Roles here = program.sorted.here;
  const bool tree = program.sorted.recursive || here.any({Role::write, Role::remove});
  std::vector<std::string> directories{"."};
  if (here.has(Role::top)) {
    directories = worktree_tops(program.work);
    // Without a worktree nothing is tracked.
    if (directories.empty() && !here.has(Role::tracked)) directories = {list_.scene().workspace};
  }
  for (const std::string& each : directories) {
    const Argument directory{Argument::Sort::known, each};
    if (here.any(trees)) {
      maybe_tree(here, directory, true, named, program.trouble);
    } else {
      path(here, directory, tree, named);
    }
  }
}

// The program's own effect, once all is known of it.
void Runs::tell(const Program& program, Effect& run) const {
  const auto& [words, sorted, place, work, transparent, trouble, covered] = program;
  const Entry& entry = *sorted.entry;
  run.command.elevated = run.command.elevated || entry.elevates;
  run.command.elsewhere =
      run.command.elsewhere || elsewhere(entry, work) || (entry.own_directory && elsewhere(entry, place));
  allowed_as(run, sorted);
  // A program that reads what its first directory tells it to started there, too.
  if (!entry.own_directory || !list_.outside(place.directory))
    run.command.directory = work.directory_known ? work.directory : std::string();
  run.guessed = run.guessed || covered;
  run.opaque = !trouble.empty();
  run.note = trouble;
}

}  // namespace policy::command
