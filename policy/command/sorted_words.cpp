#include "policy/command/sorted_words.hpp"

#include <algorithm>

#include "policy/command/sorter.hpp"

namespace policy::command {

namespace {

const Roles places{Role::read, Role::write, Role::remove, Role::connect, Role::remote};

// `+x`, where the program has any.
bool has_plus_options(const Entry& entry) {
  const auto first = entry.options.lower_bound("+");
  return first != entry.options.end() && first->first.starts_with('+');
}

bool is_assignment(const Argument& word, std::size_t& equals) {
  const std::string& text = word.known() ? word.text : word.start;
  equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(equals), [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

}  // namespace

// Words that look like an option may be values or operands: then what the option changes does not hold.
SortedWords Sorter::sort() {
  if (words_.size() == 1 && (words_.front().is("--version") || words_.front().is("--help"))) {
    sorted_.only_tells = true;
    return std::move(sorted_);
  }
  choose_overlays();
  std::vector<const Entry*> chosen = overlays_;
  SortedWords sorted = sort_once();
  if (done_ || confirmed_ == chosen) return sorted;
  chosen = overlays_ = std::exchange(confirmed_, {});
  at_ = 0;
  ended_ = skips_ = in_expression_ = false;
  sorted_ = {};
  sorted_.entry = entry_;
  sorted = sort_once();
  if (!done_ && confirmed_ != chosen && sorted.trouble.empty()) sorted.trouble = may_be_option;
  return sorted;
}

SortedWords Sorter::sort_once() {
  while (at_ < words_.size()) {
    const Argument& word = words_[at_];
    if (!ended_ && word.is("--")) {
      ++at_;
      end_options();
    } else if (!ended_ && !word.known() && !in_expression_) {
      not_known(word);
    } else if (!ended_ && word.is("-") && find("-") != nullptr) {
      ++at_;
      meaning(*find("-"), word);
    } else if (!ended_ && word.known() && (is_option(word.text) || is_plus_option(word.text))) {
      ++at_;
      option(word);
    } else if (in_expression_) {
      if (!word.known()) trouble(may_be_option);
      ++at_;  // `(`, `)`, `!`, `,` of find
    } else {
      operand(word);
    }
  }
  name_operands();
  confirm_overlays();
  return std::move(sorted_);
}

bool Sorter::is_plus_option(std::string_view word) const {
  return word.size() > 1 && word.front() == '+' && has_plus_options(*entry_);
}

void Sorter::trouble(std::string why) {
  if (sorted_.trouble.empty()) sorted_.trouble = std::move(why);
}

// Overlays hold wherever their option stands. Also behind `--`, which may be a value.
void Sorter::choose_overlays() {
  for (const Entry::With& with : entry_->with) {
    const bool given = std::any_of(words_.begin(), words_.end(), [&](const Argument& word) {
      return word.known() && std::any_of(with.options.begin(), with.options.end(),
                                         [&](const std::string& option) { return gives(word.text, option); });
    });
    if (given) overlays_.push_back(with.entry.get());
  }
}

// Those whose option was met as one, or is listed nowhere.
void Sorter::confirm_overlays() {
  for (const Entry* overlay : overlays_) {
    const auto with = std::find_if(entry_->with.begin(), entry_->with.end(),
                                   [&](const Entry::With& each) { return each.entry.get() == overlay; });
    if (std::any_of(with->options.begin(), with->options.end(), [&](const std::string& option) {
          return !option.starts_with('-') || std::find(met_.begin(), met_.end(), option) != met_.end() ||
                 find(option) == nullptr;
        }))
      confirmed_.push_back(overlay);
  }
  met_.clear();
}

const std::vector<Roles>& Sorter::operand_roles() const {
  for (const Entry* overlay : overlays_)
    if (!overlay->operands.empty()) return overlay->operands;
  return entry_->operands;
}

Roles Sorter::role_at(std::size_t place) const {
  const std::vector<Roles>& roles = operand_roles();
  if (roles.empty()) return {Role::text};
  return roles[std::min(place + (skips_ && roles.size() > 1 ? 1 : 0), roles.size() - 1)];
}

void Sorter::operand(const Argument& word) {
  std::size_t equals = 0;
  if (entry_->assigns && sorted_.operands.empty() && is_assignment(word, equals)) {
    ++at_;
    const std::string& text = word.known() ? word.text : word.start;
    Argument value = word;
    if (word.known()) value.text = text.substr(equals + 1);
    sorted_.assignments.emplace_back(text.substr(0, equals), std::move(value));
    return;
  }
  if (entry_->subcommands && sorted_.operands.empty()) return subcommand(word);
  if (entry_->first_is_bundle && at_ == 0 && word.known()) {
    ++at_;
    return bundle(word.text);
  }
  if (word.known() && !word.text.starts_with('-')) {
    if (const std::size_t sign = word.text.find('='); sign != std::string::npos && sign > 0)
      if (const Listed* found = find(std::string_view(word.text).substr(0, sign))) {
        ++at_;
        return meaning(*found, {Argument::Sort::known, word.text.substr(sign + 1)});
      }
  }
  if (role_at(sorted_.operands.size()).has(Role::command)) {
    sorted_.commands.emplace_back(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
    at_ = words_.size();
    return;
  }
  if (entry_->style == Entry::Style::posix) end_options();
  if (entry_->style == Entry::Style::find && word.known() && (word.text == "(" || word.text == "!"))
    in_expression_ = true;
  ++at_;
  if (!in_expression_) sorted_.operands.push_back({{}, word, {}, at_});
}

void Sorter::subcommand(const Argument& word) {
  ++at_;
  const Entry* found = word.known() ? find_(word.text) : nullptr;
  if (found == nullptr) {
    trouble(word.known() ? "a subcommand that is not known" : "a subcommand that is computed");
    for (; at_ < words_.size(); ++at_) sorted_.operands.push_back({{Role::guess}, words_[at_]});
    return;
  }
  SortedWords inner = Sorter(*found, words_.subspan(at_), [this, &word](std::string_view name) {
                        return find_(word.text + ' ' + std::string(name));
                      }).sort();
  at_ = words_.size();
  inner.options.insert(inner.options.begin(), sorted_.options.begin(), sorted_.options.end());
  if (inner.trouble.empty()) inner.trouble = std::move(sorted_.trouble);
  sorted_ = std::move(inner);
  done_ = true;
}

// From an `-exec`, whose first word was taken as a value.
void Sorter::command_until_end(Argument first) {
  std::vector<Argument> command;
  command.push_back(std::move(first));
  while (at_ < words_.size()) {
    const Argument& word = words_[at_++];
    if (word.is(";") || (word.is("+") && command.back().is("{}"))) break;
    command.push_back(word);
  }
  for (Argument& word : command) {
    if (word.known() && word.text.find("{}") == std::string::npos) continue;
    if (word.known()) word.start = word.text.substr(0, word.text.find("{}"));
    word.sort = Argument::Sort::unknown;
  }
  sorted_.commands.push_back(std::move(command));
  trouble("runs a command on what it finds");
}

void Sorter::name_operands() {
  if (done_) return;
  for (std::size_t i = 0; i < sorted_.operands.size(); ++i)
    if (sorted_.operands[i].roles.empty()) sorted_.operands[i].roles = role_at(i);
  Roles last = entry_->last;
  for (const Entry* overlay : overlays_)
    if (!overlay->last.empty()) last = overlay->last;
  if (!last.empty() && sorted_.operands.size() > 1) sorted_.operands.back().roles = last;
  const bool alone = std::none_of(sorted_.operands.begin(), sorted_.operands.end(),
                                  [](const Meaning& each) { return each.roles.any(places); });
  for (const Entry* overlay : overlays_) {
    if (alone || !overlay->here_alone) sorted_.here.add(overlay->here);
    sorted_.recursive = sorted_.recursive || overlay->recursive;
    if (overlay->opaque) trouble("an option that changes what the command does");
  }
  const bool own = std::all_of(overlays_.begin(), overlays_.end(),
                               [](const Entry* overlay) { return overlay->here.empty(); });
  if (own && (alone || !entry_->here_alone)) sorted_.here.add(entry_->here);
  sorted_.recursive = sorted_.recursive || entry_->recursive;
}

SortedWords sort_words(const Entry& entry, std::span<const Argument> words, const FindSubcommand& find) {
  return Sorter(entry, words, find).sort();
}

}  // namespace policy::command
