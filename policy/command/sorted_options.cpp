// Options and their values.

#include <algorithm>

#include "policy/command/sorter.hpp"

namespace policy::command {

namespace {

constexpr const char* not_listed = "an option that is not known";

// Options whose meaning does not stay in the program.
const Roles effects{Role::read,   Role::write,     Role::remove,  Role::connect, Role::remote,
                    Role::host,   Role::directory, Role::command, Role::exec,    Role::line,
                    Role::script, Role::sed,       Role::awk,     Role::opaque};
// A name in the directory has no `/` in it: what is read is what the pattern covers anyway.
const Roles effects_of_name{Role::write, Role::remove,    Role::connect, Role::remote,
                            Role::host,  Role::directory, Role::command, Role::exec,
                            Role::line,  Role::script,    Role::opaque};

}  // namespace

// Whether the word may hold the option.
bool Sorter::gives(std::string_view word, std::string_view option) const {
  const std::string_view spelled = word.substr(0, word.find('='));
  if (entry_->style == Entry::Style::single || entry_->style == Entry::Style::find ||
      !option.starts_with('-'))
    return spelled == option;
  if (option.starts_with("--"))
    return spelled.size() > 2 && spelled.starts_with("--") && option.starts_with(spelled);
  const bool bundle = entry_->first_is_bundle && !words_.empty() && words_.front().text == word;
  if (!bundle && (!is_option(word) || word.starts_with("--"))) return false;
  return word.find(option[1], bundle ? 0 : 1) != std::string_view::npos;
}

const Sorter::Listed* Sorter::find(std::string_view name) const {
  for (const Entry* overlay : overlays_)
    if (const auto found = overlay->options.find(name); found != overlay->options.end()) return &*found;
  const auto found = entry_->options.find(name);
  return found == entry_->options.end() ? nullptr : &*found;
}

// By any beginning that all its completions agree on.
const Sorter::Listed* Sorter::find_long(std::string_view name) const {
  if (const Listed* exact = find(name)) return exact;
  if (name.size() < 3) return nullptr;
  const Listed* only = nullptr;
  for (auto it = entry_->options.lower_bound(name); it != entry_->options.end(); ++it) {
    if (!std::string_view(it->first).starts_with(name)) break;
    const Listed* candidate = find(it->first);
    if (only != nullptr && !(only->second == candidate->second)) return nullptr;
    only = candidate;
  }
  return only;
}

// Whether some option of the program that may stand here does what these roles say.
bool Sorter::options_may(const Roles& roles) const {
  if (entry_->any_option && entry_->options.empty()) return false;
  return entry_->opaque || std::any_of(entry_->options.begin(), entry_->options.end(),
                                       [&](const auto& option) { return option.second.roles.any(roles); });
}

void Sorter::not_known(const Argument& word) {
  const bool starts = !word.start.empty();
  if (starts && !is_option(word.start) && word.start != "-") return operand(word);
  if (starts && word.start.starts_with("--") && word.start.find('=') != std::string::npos) {
    ++at_;
    const std::size_t equals = word.start.find('=');
    Argument value = word;
    value.start = word.start.substr(equals + 1);
    const Listed* found = find_long(std::string_view(word.start).substr(0, equals));
    if (found == nullptr) return unlisted(word);
    return meaning(*found, std::move(value));
  }
  if (word.digits && word.start.size() == 2 && is_option(word.start)) {
    const Listed* found = find(word.start);
    if (found != nullptr && found->second.takes != Option::Takes::nothing) {
      ++at_;
      return meaning(*found, word);
    }
    if (found == nullptr && entry_->any_option) {
      ++at_;
      return unlisted(word);
    }
  }
  const bool name = word.sort == Argument::Sort::glob && word.text.find('/') == std::string::npos;
  if (!word.number && options_may(name ? effects_of_name : effects)) trouble(may_be_option);
  operand(word);
}

void Sorter::unlisted(const Argument& word) {
  if (!entry_->any_option) trouble(not_listed);
  sorted_.options.push_back({{Role::guess}, word});
}

void Sorter::meaning(const Listed& listed, Argument value) {
  const auto& [name, option] = listed;
  met_.push_back(name);
  if (option.roles.has(Role::recursive)) sorted_.recursive = true;
  if (option.roles.has(Role::skips)) skips_ = true;
  if (option.roles.has(Role::exec)) return command_until_end(std::move(value));
  if (option.roles.has(Role::command)) {
    skips_ = true;
    sorted_.commands.emplace_back(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
    sorted_.commands.back().insert(sorted_.commands.back().begin(), value);
    sorted_.options.push_back({{Role::skips}, std::move(value), name, at_});
    at_ = words_.size();
    return;
  }
  sorted_.options.push_back({option.roles, std::move(value), name, at_});
}

// Takes the option's value from the next word.
void Sorter::meaning_of_next(const Listed& option) {
  if (at_ >= words_.size()) return trouble("an option without its value");
  if (words_[at_].spread) trouble(may_be_option);
  Argument value = words_[at_++];
  meaning(option, std::move(value));
}

void Sorter::option(const Argument& word) {
  if (entry_->one_dash && word.text.size() > 2 && word.text[1] != '-' && word.text[0] == '-')
    return option({Argument::Sort::known, "-" + word.text});
  const std::string_view text = word.text;
  const std::size_t equals = text.find('=');
  const bool singles = entry_->style == Entry::Style::single || entry_->style == Entry::Style::find;
  if (entry_->style == Entry::Style::find) in_expression_ = in_expression_ || find_expression(text);
  if (!singles && !text.starts_with("--")) return letters(word, text.substr(1));
  const bool glued = equals != std::string_view::npos && entry_->style != Entry::Style::find;
  const std::string_view name = glued ? text.substr(0, equals) : text;
  const Listed* found = singles ? find(name) : find_long(name);
  if (found == nullptr && entry_->glued && text.size() > 2) {
    const Listed* letter = find(text.substr(0, 2));
    if (letter != nullptr && letter->second.takes == Option::Takes::value)
      return meaning(*letter, {Argument::Sort::known, std::string(text.substr(2))});
  }
  if (found == nullptr) {
    if ((name == "--help" || name == "--version") && !glued) return;
    if (entry_->any_option) return may_be_listed(word, name);
    return unlisted(word);
  }
  if (glued) return meaning(*found, {Argument::Sort::known, std::string(text.substr(equals + 1))});
  if (found->second.takes == Option::Takes::value) return meaning_of_next(*found);
  meaning(*found, {Argument::Sort::known, std::string(text)});
}

bool Sorter::find_expression(std::string_view text) {
  return text != "-H" && text != "-L" && text != "-P" && !text.starts_with("-O") && text != "-D";
}

// Of a program whose options are not all listed: the beginning of one that is may be meant.
void Sorter::may_be_listed(const Argument& word, std::string_view name) {
  for (const auto& [listed, option] : entry_->options)
    if (listed.starts_with("--") && std::string_view(listed).starts_with(name) && option.roles.any(effects))
      trouble("an option that changes what the command does");
  sorted_.options.push_back({{Role::guess}, word});
}

void Sorter::letters(const Argument& word, std::string_view letters) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char letter = letters[i];
    const char spelled[2] = {word.text.starts_with('+') ? '+' : '-', letter};
    const Listed* found = find(std::string_view(spelled, 2));
    if (found == nullptr && letter >= '0' && letter <= '9') found = find("-#");
    if (found == nullptr) {
      if (!entry_->any_option) return unlisted(word);
      continue;  // the letters behind it may be its value, or options
    }
    const std::string_view rest = letters.substr(i + 1);
    if (found->second.takes == Option::Takes::nothing) {
      meaning(*found, {Argument::Sort::known, std::string(spelled, 2)});
    } else if (!rest.empty() || found->second.takes == Option::Takes::glued_value) {
      return meaning(*found, {Argument::Sort::known, std::string(rest)});
    } else {
      return meaning_of_next(*found);
    }
  }
  if (entry_->any_option) sorted_.options.push_back({{Role::guess}, word});
}

// Values of its letters follow as words of their own, in the same order.
void Sorter::bundle(std::string_view letters) {
  for (const char letter : letters) {
    const char spelled[2] = {'-', letter};
    const Listed* found = find(std::string_view(spelled, 2));
    if (found == nullptr) {
      trouble(not_listed);
    } else if (found->second.takes == Option::Takes::value) {
      meaning_of_next(*found);
    } else {
      meaning(*found, {Argument::Sort::known, std::string(spelled, 2)});
    }
  }
}

}  // namespace policy::command
