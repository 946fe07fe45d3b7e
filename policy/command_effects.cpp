// What a command's words do beside running it: known programs by catalogue/commands.toml, others by guesses,
// which count for deny and ask.

#include <algorithm>
#include <array>
#include <unordered_set>

#include "policy/effect_list.hpp"
#include "policy/path.hpp"

namespace policy {

namespace {

constexpr std::array touched{EffectKind::read, EffectKind::write, EffectKind::remove};

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

// Whether an option word may be the listed option: a prefix of a long one, a letter of a short bundle.
bool may_be_option(std::string_view word, std::string_view option) {
  const std::string_view spelled = word.substr(0, word.find('='));
  if (option.starts_with("--")) return spelled.starts_with("--") && spelled.size() > 2 && option.starts_with(spelled);
  return !word.starts_with("--") && word.find(option[1], 1) != std::string_view::npos;
}

bool may_be_any(std::string_view word, const std::vector<std::string>& options) {
  return std::any_of(options.begin(), options.end(), [&](const std::string& option) { return may_be_option(word, option); });
}

bool harmless(std::string_view word, const std::vector<std::string>& options) {
  if (word.starts_with("--")) return std::find(options.begin(), options.end(), word) != options.end();
  return std::all_of(word.begin() + 1, word.end(), [&](char letter) {
    const std::array<char, 2> single{'-', letter};
    return std::find(options.begin(), options.end(), std::string_view(single.data(), 2)) != options.end();
  });
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

// Why the options make the command more than its entry says; empty: they do not.
std::string option_trouble(const CommandEntry& entry, const Words& words) {
  for (const std::string* option : words.options) {
    const bool known = entry.lists_harmless ? harmless(*option, entry.harmless_options)
                                            : !may_be_any(*option, entry.opaque_options);
    if (!known) return "an option that changes what the command does";
  }
  return {};
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
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
    if (!reading.opaque && !forms.forms().empty()) entry = catalogue_.command(forms.forms().back().program);
    if (entry != nullptr) {
      const std::string trouble = option_trouble(*entry, sort_words(forms.forms().back().rest));
      if (!trouble.empty() && !effect.opaque) {
        effect.opaque = true;
        effect.note = trouble;
      }
    }
    add(effect);
    if (entry != nullptr) {
      add_known_words(*entry, forms.forms().back(), run.directory, origin);
    } else {
      guess_words(run.words, run.directory, origin);
    }
  }
}

void EffectList::add_known_words(const CommandEntry& entry, const CommandForm& form, const std::string& directory,
                                 const Origin& origin) {
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
  if (!entry.last.empty() && operands.size() > 1) {
    add_destination(operands, entry, directory, origin, recursive);
    operands = operands.first(operands.size() - 1);
  }
  const bool connects = std::find(entry.operands.begin(), entry.operands.end(), EffectKind::connect) != entry.operands.end();
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

void EffectList::guess_words(std::span<const std::string> words, const std::string& directory, const Origin& origin) {
  const Origin guess{origin.argument, true};
  std::unordered_set<std::string_view> seen;
  for (const std::string& word : words)
    if (seen.insert(word).second) guess_word(word, directory, guess);
}

void EffectList::guess_word(std::string_view word, const std::string& directory, const Origin& origin) {
  if (word.empty()) return;
  if (is_option(word)) {
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos) {
      guess_word(word.substr(equals + 1), directory, origin);
    } else if (!word.starts_with("--") && word.size() > 2) {
      guess_word(word.substr(2), directory, origin);  // `-o/path`
    }
    return;
  }
  if (looks_like_url(word)) add_url(word, origin);
  const bool prose = word.find_first_of(" \t\n") != std::string_view::npos && word.find('/') == std::string_view::npos;
  if (prose) return;
  std::string expanded(word);
  replace_all(expanded, "$HOME", scene_.home);
  replace_all(expanded, "$PWD", directory);
  replace_all(expanded, "$USER", scene_.user);
  add_path(touched, expanded, directory, origin);
  if (const std::size_t equals = word.find('='); equals != std::string_view::npos && equals + 1 < word.size())
    guess_word(word.substr(equals + 1), directory, origin);
}

}  // namespace policy
