// A line for a shell: its simple commands, what they open and what they set.

#include <algorithm>
#include <array>

#include "policy/command/keep_first.hpp"
#include "policy/command/runs.hpp"
#include "policy/command/tokens.hpp"
#include "policy/shell/parse.hpp"
#include "policy/variable_note.hpp"

namespace policy {

const char* name(Shell shell) {
  switch (shell) {
    case Shell::sh: return "sh";
    case Shell::bash: return "bash";
    case Shell::zsh: return "zsh";
    case Shell::none: return "none";
  }
  return "none";
}

}  // namespace policy

namespace policy::command {

namespace {

std::string note_of(const base::Error& error) {
  return error.place().empty() ? error.message() : error.message() + " (at byte " + error.place() + ")";
}

shell::Dialect dialect_of(Shell shell) {
  switch (shell) {
    case Shell::bash: return shell::Dialect::bash;
    case Shell::zsh: return shell::Dialect::zsh;
    case Shell::sh:
    case Shell::none: break;
  }
  return shell::Dialect::posix;
}

}  // namespace

std::string Runs::line(std::string_view text, Shell shell, const Place& place) {
  if (shell == Shell::none) return argv({{Argument::Sort::known, std::string(text)}}, place);
  const shell::Surroundings around{place.directory, list_.scene().home, list_.scene().user,
                                   list_.scene().links};
  shell::State start;
  if (place.directory_known) start.directories.change().push_back(place.directory);
  if (place.parameters) {
    std::vector<Argument> behind = *place.parameters;
    if (!behind.empty()) {
      start.variables.change().emplace("0", behind.front());
      behind.erase(behind.begin());
    }
    start.parameters.change() = std::move(behind);
  }
  auto commands = shell::read_line(text, dialect_of(shell), around, std::move(start), place.input);
  if (!commands) return opaque_line(text, place, note_of(commands.error()));
  std::string trouble;
  if (!runs_in_order(text)) list_.out_of_order();
  const std::size_t first = list_.effects().size();
  for (const shell::Simple& each : *commands) keep_first(trouble, simple(each, place));
  if (list_.effects().size() == first && text.find_first_not_of(" \t\n") != std::string_view::npos) {
    // Conditions and variables of the shell alone.
    Effect effect = run_effect({{Argument::Sort::known, std::string(text)}}, place);
    effect.idle = !effect.guessed;
    effect.guessed = true;
    list_.add(std::move(effect));
  }
  if (commands->empty() && text.find_first_not_of(" \t\n") == std::string_view::npos)
    return opaque_line(text, place, "no command");
  return trouble;
}

std::string Runs::opaque_line(std::string_view text, const Place& place, std::string why) {
  Effect effect = run_effect({}, place);
  effect.opaque = true;
  effect.note = why;
  effect.command.line = text;
  effect.command.words = tokens_of(text);
  effect.command.elevated =
      place.elevated ||
      std::any_of(effect.command.words.begin(), effect.command.words.end(), [&](const auto& word) {
        const Entry* entry = list_.catalogue().command(base_name(word));
        return entry != nullptr && entry->elevates;
      });
  if (text.find('\0') != std::string_view::npos) effect.refused = "a command with a NUL byte";
  const std::vector<std::string> words = effect.command.words;
  list_.add(std::move(effect));
  list_.guess_words(words, place.directory, origin(place));
  return why;
}

// What `NAME=VALUE` changes for what runs; of a bare one (no entry, no words) for the shell itself.
std::string Runs::environment(const std::vector<std::pair<std::string, Argument>>& assignments,
                              const Entry* entry, const Place& place) {
  std::string trouble;
  for (const auto& assignment : assignments) {
    const std::string& name = assignment.first;
    const Argument& value = assignment.second;
    const bool neutral =
        list_.catalogue().neutral_variable(name, value.known() ? value.text : "?") ||
        (entry != nullptr && std::any_of(entry->neutral.begin(), entry->neutral.end(),
                                         [&](const std::string& other) { return other == name; }));
    if (neutral) continue;
    keep_first(trouble, variable_note(name));
    const bool several = value.text.find_first_of(" \t\n;|&") != std::string::npos;
    if (several || list_.catalogue().special_variable(name)) maybe_line(value, place);
    if (value.known()) guess(value.text, place);
  }
  return trouble;
}

std::string Runs::simple(const shell::Simple& simple, const Place& outer) {
  std::string trouble;
  Place place = outer;
  const std::size_t ways = std::max<std::size_t>(simple.directories.size(), 1);
  for (std::size_t way = 0; way < ways; ++way) {
    if (way > 0) place = outer;
    if (!simple.directories.empty()) place.directory = simple.directories[way];
    place.directory_known = !simple.directories.empty();
    place.input = simple.input;
    place.found = false;
    place.kept.clear();
    keep_first(place.opaque, simple.trouble);
    redirections(simple, place);
    const std::size_t first = list_.effects().size();
    if (simple.words.empty() || simple.builtin)
      for (const Argument& pattern : simple.listed) matched_names(pattern.text, first, place);
    if (simple.words.empty() || simple.builtin) {
      std::vector<std::pair<std::string, Argument>> changed;
      for (const auto& each : simple.assignments)
        if (simple.builtin || list_.catalogue().special_variable(each.first)) changed.push_back(each);
      keep_first(place.opaque, environment(changed, nullptr, place));
      if (simple.words.empty() && place.opaque.empty()) continue;
    }
    if (simple.words.empty()) {
      keep_first(trouble, opaque_line(simple.line.empty() ? std::string_view("(an expansion)") : simple.line,
                                      place, place.opaque));
      continue;
    }
    if (simple.builtin) {
      Effect effect = run_effect(simple.words, place);
      effect.opaque = !place.opaque.empty();
      effect.note = place.opaque;
      effect.idle = place.opaque.empty() && !effect.guessed;
      effect.guessed = effect.guessed || effect.idle;
      list_.add(std::move(effect));
      keep_first(trouble, place.opaque);
      continue;
    }
    const Argument& head = simple.words.front();
    const Entry* entry = head.known() ? list_.catalogue().command(base_name(head.text)) : nullptr;
    keep_first(place.opaque, environment(simple.assignments, entry, place));
    keep_first(trouble, argv(simple.words, place));
    for (const Argument& pattern : simple.listed) matched_names(pattern.text, first, place);
  }
  return trouble;
}

// What a shell lists to find the names that match: each folder before a component with a wildcard. `first`:
// the effects from there on are of the command; one that reads what the pattern stands for says as much.
void Runs::matched_names(std::string_view pattern, std::size_t first, const Place& place) {
  const Globbed globbed = take_apart(pattern);
  const std::string directory = fold_path(globbed.directory, place.directory);
  const std::span<Effect> own = list_.since(first);
  if (std::any_of(own.begin(), own.end(), [&](const Effect& effect) {
        return effect.kind == EffectKind::read && !effect.guessed && !effect.opaque &&
               effect.path.lexical == directory &&
               (effect.reach.names == globbed.names ||
                (effect.reach.recursive && effect.reach.names.empty()));
      }))
    return;
  const Roles names{Role::read, Role::listed};
  std::string literal;  // as long as no component has a wildcard
  bool wild = false;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t slash = std::min(pattern.find('/', at), pattern.size());
    const std::string_view component = pattern.substr(at, slash - at);
    const NameGlob name = name_glob(component);
    if (!name.glob.literal()) {
      // With `globstar` it goes any way down.
      const bool below = component.find("**") != std::string_view::npos;
      if (literal.empty()) literal = ".";
      const Argument folder{wild ? Argument::Sort::glob : Argument::Sort::known,
                            wild ? std::string(pattern.substr(0, at)) : literal};
      path(names, folder, below, place);
      wild = true;
    }
    literal += name.glob.text() + "/";
    at = slash + 1;
  }
}

void Runs::redirections(const shell::Simple& simple, const Place& place) {
  using Kind = shell::Redirect::Kind;
  for (const shell::Opened& opened : simple.opened) {
    const Argument& target = opened.target;
    const std::string& text = target.known() ? target.text : target.start;
    for (const std::string_view device : {"/dev/tcp/", "/dev/udp/"}) {
      if (!text.starts_with(device)) continue;
      Argument url = target;
      std::string rest = text.substr(device.size());
      if (const std::size_t slash = rest.find('/'); slash != std::string::npos) rest[slash] = ':';
      url.text = std::string(device.substr(5, 3)) + "://" + rest;
      address(url, place);
    }
    if (text.starts_with("/dev/tcp/") || text.starts_with("/dev/udp/")) continue;
    switch (opened.kind) {
      case Kind::read: path({Role::read}, target, false, place); break;
      case Kind::read_write: path({Role::read, Role::write}, target, false, place); break;
      case Kind::write:
      case Kind::append:
      case Kind::both:
      case Kind::append_both: path({Role::write}, target, false, place); break;
      case Kind::duplicate:
        if (!target.known() ||
            (target.text != "-" && target.text.find_first_not_of("0123456789-") != std::string::npos))
          path({Role::write}, target, false, place);
        break;
      case Kind::document:
      case Kind::string: break;
    }
  }
}

}  // namespace policy::command
