// What a command's words do beside running it: known programs by catalogue/commands.toml, others by guesses,
// which count for deny and ask.

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "policy/effect_list.hpp"
#include "policy/path.hpp"

namespace policy {

namespace {

constexpr std::array touched{EffectKind::read, EffectKind::write, EffectKind::remove};

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

// Whether an option word may be the listed option: a prefix of a long one, a letter of a short bundle.
bool may_be_option(std::string_view word, std::string_view option) {
  const std::string_view spelled = word.substr(0, word.find('='));
  if (option.starts_with("--"))
    return spelled.starts_with("--") && spelled.size() > 2 && option.starts_with(spelled);
  return !word.starts_with("--") && word.find(option[1], 1) != std::string_view::npos;
}

bool may_be_any(std::string_view word, const std::vector<std::string>& options) {
  return std::any_of(options.begin(), options.end(),
                     [&](const std::string& option) { return may_be_option(word, option); });
}

bool harmless(std::string_view word, const std::vector<std::string>& options) {
  if (word.starts_with("--")) return std::find(options.begin(), options.end(), word) != options.end();
  return std::all_of(word.begin() + 1, word.end(), [&](char letter) {
    const std::array<char, 2> single{'-', letter};
    return std::find(options.begin(), options.end(), std::string_view(single.data(), 2)) != options.end();
  });
}

// A long option by its full name: no abbreviation of another.
bool whole(std::string_view word, const std::vector<std::string>& options) {
  return std::find(options.begin(), options.end(), word.substr(0, word.find('='))) != options.end();
}

// Whether the option's value is the next word.
bool takes_next(std::string_view word, const std::vector<std::string>& options) {
  return std::any_of(options.begin(), options.end(), [&](const std::string& option) {
    if (option.starts_with("--")) return word.find('=') == word.npos && may_be_option(word, option);
    return !word.starts_with("--") && word.back() == option[1];
  });
}

bool may_be_any(const std::vector<const std::string*>& words, const std::string& option) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string* word) { return may_be_option(*word, option); });
}

struct Words {
  std::vector<const std::string*> operands;
  std::vector<const std::string*> options;
};

Words sort_words(std::span<const std::string> rest) {
  Words words;
  bool options_ended = false;
  for (const std::string& word : rest) {
    if (!options_ended && word == "--") {
      options_ended = true;
    } else {
      (!options_ended && is_option(word) ? words.options : words.operands).push_back(&word);
    }
  }
  return words;
}

// Why the words make the command more than its entry says; empty: they do not.
std::string trouble_with(const CommandEntry& entry, std::span<const std::string> rest) {
  if (entry.opaque) return "a program whose words are code, or run what they name";
  const auto opaque_word = [&](const std::string& word) {
    return std::find(entry.opaque_words.begin(), entry.opaque_words.end(), word) != entry.opaque_words.end();
  };
  if (std::any_of(rest.begin(), rest.end(), opaque_word)) return "a word that changes what the command does";
  const auto starts_odd = [&](std::string_view word) {
    return std::any_of(entry.opaque_starts.begin(), entry.opaque_starts.end(), [&](const std::string& start) {
      return word.starts_with(start) || word.substr(word.find('=') + 1).starts_with(start);
    });
  };
  if (std::any_of(rest.begin(), rest.end(), starts_odd)) return "an address that names a command";
  const Words words = sort_words(rest);
  for (const std::string& pair : entry.opaque_pairs) {
    const std::size_t blank = pair.find(' ');
    const auto word = std::find(rest.begin(), rest.end(), std::string_view(pair).substr(0, blank));
    if (word != rest.end() && may_be_any(words.options, pair.substr(blank + 1)))
      return "an option that changes what the command does";
  }
  for (const std::string* option : words.options) {
    const bool known = entry.lists_harmless ? harmless(*option, entry.harmless_options)
                                            : whole(*option, entry.whole_options) ||
                                                  !may_be_any(*option, entry.opaque_options);
    if (!known) return "an option that changes what the command does";
  }
  return {};
}

// `$NAME` as the value, for the few names that are known.
std::string expanded(std::string_view word,
                     const std::array<std::pair<std::string_view, std::string_view>, 3>& values) {
  std::string text;
  while (!word.empty()) {
    const std::size_t dollar = std::min(word.find('$'), word.size());
    text.append(word.substr(0, dollar));
    word.remove_prefix(dollar);
    const auto* found = std::find_if(values.begin(), values.end(),
                                     [&](const auto& value) { return word.starts_with(value.first); });
    if (found != values.end()) {
      text.append(found->second);
      word.remove_prefix(found->first.size());
    } else if (!word.empty()) {
      text += word.front();
      word.remove_prefix(1);
    }
  }
  return text;
}

constexpr std::string_view blanks = " \t\n";
constexpr std::size_t bundle_letters_max = 8;  // before a value glued to a bundle of short options
constexpr int glued_depth_max = 8;             // of `a=b=c` and `-xVALUE` inside one word; guesses only

// What else a word may hold: the value after `=`, or glued to a short option. Empty: nothing.
std::string_view glued_value(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals != std::string_view::npos) return word.substr(equals + 1);
  if (is_option(word) && !word.starts_with("--")) return word.substr(2);  // `-o/path`
  return {};
}

}  // namespace

void EffectList::add_command(LineReading reading, const Origin& origin, const std::string& why_opaque) {
  for (Command& command : reading.commands) {
    Effect effect;
    effect.kind = EffectKind::run;
    effect.command = std::move(command);
    effect.opaque = reading.opaque || !why_opaque.empty();
    effect.note = reading.opaque ? reading.note : why_opaque;
    effect.guessed = origin.guessed;
    effect.argument = origin.argument;
    for (const std::string& word : effect.command.words)
      if (word.find('\0') != std::string::npos) effect.refused = "a command with a NUL byte";
    const Command& run = effect.command;
    const CommandForms forms = CommandForms::strict(run);
    const CommandEntry* entry = nullptr;
    bool guess = false;
    if (!reading.opaque && !forms.forms().empty()) entry = catalogue_.command(forms.forms().back().program);
    if (entry != nullptr) {
      const std::string trouble = trouble_with(*entry, forms.forms().back().rest);
      guess = !trouble.empty();
      if (!trouble.empty() && !effect.opaque) {
        effect.opaque = true;
        effect.note = trouble;
      }
    }
    effect.command.elsewhere = entry != nullptr && entry->own_directory && away(run.directory);
    add(effect);
    if (entry != nullptr) add_outside_reads(*entry, forms.forms().back(), run.directory, origin);
    const bool known = entry != nullptr && !entry->guess && !entry->opaque;
    if (known) add_known_words(*entry, forms.forms().back(), run.directory, origin);
    if (known && !guess) continue;
    // Of a line that is not understood any word may be the program, or none.
    const bool first_runs = !reading.opaque && !origin.guessed && !run.words.empty();
    if (first_runs) guess_program(run.words.front(), run.directory, origin);
    const bool subcommand =
        first_runs && entry != nullptr && entry->first_is_subcommand && run.words.size() > 1 &&
        forms.forms().back().rest.size() + 1 == run.words.size() && !is_option(run.words[1]);
    guess_words(std::span(run.words).subspan(subcommand ? 2 : first_runs ? 1 : 0), run.directory, origin);
  }
}

// Whether a command there runs in another directory than callgate does.
bool EffectList::away(const std::string& directory) const {
  const auto same = [&](const std::string& place) {
    return fold_path(directory, "/") == fold_path(place, "/") &&
           real_path(directory, "/", *scene_.links) == real_path(place, "/", *scene_.links);
  };
  return !same(scene_.directory) && !same(scene_.workspace);
}

// `git diff /dev/null /etc/passwd` compares files, wherever they are.
void EffectList::add_outside_reads(const CommandEntry& entry, const CommandForm& form,
                                   const std::string& directory, const Origin& origin) {
  const auto subcommand = std::find_first_of(form.rest.begin(), form.rest.end(), entry.outside_reads.begin(),
                                             entry.outside_reads.end());
  if (subcommand == form.rest.end()) return;
  const Words words =
      sort_words(form.rest.subspan(static_cast<std::size_t>(subcommand - form.rest.begin()) + 1));
  const std::string real_workspace =
      real_path(scene_.workspace, "/", *scene_.links).value_or(scene_.workspace);
  const auto outside = [&](const std::string* operand) {
    if (!walk(operand->size())) return false;
    const std::vector<PathReading> readings = read_path(*operand, directory, scene_);
    return std::any_of(readings.begin(), readings.end(), [&](const PathReading& reading) {
      return !same_or_below(reading.path.lexical, scene_.workspace) ||
             !same_or_below(reading.path.real, real_workspace);
    });
  };
  if (std::none_of(words.operands.begin(), words.operands.end(), outside)) return;
  constexpr std::array read{EffectKind::read};
  for (const std::string* operand : words.operands) add_path(read, *operand, directory, origin, true);
}

void EffectList::add_known_words(const CommandEntry& entry, const CommandForm& form,
                                 const std::string& directory, const Origin& origin) {
  Words words = sort_words(form.rest);
  const auto given = [&](const std::vector<std::string>& list) {
    return std::any_of(words.options.begin(), words.options.end(),
                       [&](const std::string* option) { return may_be_any(*option, list); });
  };
  const bool recursive = entry.recursive || given(entry.recursive_options);
  if (entry.first_is_pattern && !given(entry.pattern_options) && !words.operands.empty())
    words.operands.erase(words.operands.begin());
  for (const std::string* option : words.options)
    if (!entry.operands.empty()) guess_word(*option, directory, {origin.argument, true});
  std::span<const std::string* const> operands = words.operands;
  // Each may be an option's value and no operand.
  const auto values = static_cast<std::size_t>(
      std::count_if(words.options.begin(), words.options.end(),
                    [&](const std::string* option) { return takes_next(*option, entry.value_options); }));
  const bool only_reads =
      entry.last.empty() && entry.operands.size() == 1 && entry.operands.front() == EffectKind::read;
  const bool none_first = entry.starts_first &&
                          (form.rest.empty() || form.rest.front().empty() ||
                           std::string_view("-(!").find(form.rest.front().front()) != std::string_view::npos);
  if (recursive && only_reads && (operands.size() <= values || none_first))
    add_path(entry.operands, ".", directory, origin, true);
  if (!entry.last.empty() && operands.size() > 1) {
    add_destination(operands, entry, directory, origin, recursive);
    if (values == 0) operands = operands.first(operands.size() - 1);
  }
  const bool connects =
      std::find(entry.operands.begin(), entry.operands.end(), EffectKind::connect) != entry.operands.end();
  for (const std::string* operand : operands) {
    if (connects) {
      add_url(*operand, origin);
    } else {
      add_path(entry.operands, *operand, directory, origin, recursive);
    }
  }
}

// A directory as destination means a name inside it.
void EffectList::add_destination(std::span<const std::string* const> operands, const CommandEntry& entry,
                                 const std::string& directory, const Origin& origin, bool recursive) {
  const std::string& last = *operands.back();
  add_path(entry.last, last, directory, origin, recursive);
  const auto real = real_path(last, directory, *scene_.links);
  const bool inside = real && scene_.links->is_directory(*real);
  for (const std::string* source : operands.first(operands.size() - 1)) {
    const std::string_view source_name = base_name(*source);
    if (source_name.empty()) continue;
    add_path(entry.last, last + '/' + std::string(source_name), directory,
             {origin.argument, origin.guessed || !inside}, recursive);
  }
}

// What runs is read, where it names a file.
void EffectList::guess_program(const std::string& word, const std::string& directory, const Origin& origin) {
  constexpr std::array read{EffectKind::read};
  if (word.find('/') != std::string::npos) add_path(read, word, directory, {origin.argument, true});
}

void EffectList::guess_words(std::span<const std::string> words, const std::string& directory,
                             const Origin& origin) {
  const Origin guess{origin.argument, true};
  std::unordered_set<std::string_view> seen;
  for (const std::string& word : words)
    if (!full_ && seen.insert(word).second) guess_word(word, directory, guess);
}

void EffectList::guess_path(std::string_view word, const std::string& directory, const Origin& origin) {
  add_path(touched, expanded(word, {{{"$HOME", scene_.home}, {"$PWD", directory}, {"$USER", scene_.user}}}),
           directory, origin);
}

// Paths inside prose or a script, as in `w /home/dev/.bashrc`.
void EffectList::guess_pieces(std::string_view text, const std::string& directory, const Origin& origin) {
  while (!text.empty() && !full_) {
    const std::size_t start = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(start);
    const std::string_view piece = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(piece.size());
    if (piece.find('/') != std::string_view::npos) guess_path(piece, directory, origin);
  }
}

// `-rf/path`: how many letters are options is not known. The first is left to glued_value.
void EffectList::guess_bundle(std::string_view word, const std::string& directory, const Origin& origin) {
  if (word.starts_with("--")) return;
  for (std::size_t at = 3; at < word.size() && at < 2 + bundle_letters_max; ++at) {
    const char before = static_cast<char>(word[at - 1] | 0x20);
    if (before < 'a' || before > 'z') return;
    guess_path(word.substr(at), directory, origin);
  }
}

void EffectList::guess_word(std::string_view word, const std::string& directory, const Origin& origin) {
  bool long_url = false;
  for (int depth = 0; depth < glued_depth_max && !word.empty(); ++depth, word = glued_value(word)) {
    if (full_) return;
    if (is_option(word)) {
      guess_bundle(word, directory, origin);
      continue;
    }
    if (looks_like_url(word)) {
      // A second long one stands inside the first: its beginning has the host.
      add_url(long_url ? word.substr(0, path_bytes_max) : word, origin);
      long_url = long_url || word.size() > path_bytes_max;
    }
    const bool several = word.find_first_of(blanks) != std::string_view::npos;
    if (several) guess_pieces(word, directory, origin);
    if (several && word.find('/') == std::string_view::npos) continue;
    const bool bare = word.find_first_of("/.~$") == std::string_view::npos;
    guess_path(word, directory, {origin.argument, true, bare});
  }
}

}  // namespace policy
