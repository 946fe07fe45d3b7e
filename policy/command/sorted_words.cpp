#include "policy/command/sorted_words.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "policy/command/options.hpp"

namespace policy::command {

namespace {

constexpr const char* not_listed = "an option that is not known";
constexpr const char* may_be_option = "a word that may be an option";

// Options whose meaning does not stay in the program.
const Roles effects{Role::read,   Role::write,     Role::remove,  Role::connect, Role::remote,
                    Role::host,   Role::directory, Role::command, Role::exec,    Role::line,
                    Role::script, Role::sed,       Role::awk,     Role::opaque};
// A name in the directory has no `/` in it: what is read is what the pattern covers anyway.
const Roles effects_of_name{Role::write, Role::remove,    Role::connect, Role::remote,
                            Role::host,  Role::directory, Role::command, Role::exec,
                            Role::line,  Role::script,    Role::opaque};

const Roles places{Role::read, Role::write, Role::remove, Role::connect, Role::remote};

class Sorter {
 public:
  Sorter(const Entry& entry, std::span<const Argument> words, const FindSubcommand& find)
      : entry_(&entry), words_(words), find_(find), options_(entry, words) {
    sorted_.entry = &entry;
  }

  // Words that look like an option may be values or operands: then what the option changes does not hold.
  SortedWords sort() {
    if (words_.size() == 1 && (words_.front().is("--version") || words_.front().is("--help"))) {
      sorted_.only_tells = true;
      return std::move(sorted_);
    }
    std::vector<const Entry*> chosen = options_.overlays();
    if (SortedWords sorted = sort_once(); done_ || confirmed_ == chosen) return sorted;
    chosen = std::exchange(confirmed_, {});
    options_.choose(chosen);
    at_ = 0;
    ended_ = skips_ = in_expression_ = false;
    places_.clear();
    values_ = 0;
    value_at_ = std::string::npos;
    sorted_ = {};
    sorted_.entry = entry_;
    SortedWords sorted = sort_once();
    if (!done_ && confirmed_ != chosen && sorted.trouble.empty()) sorted.trouble = may_be_option;
    return sorted;
  }

 private:
  SortedWords sort_once() {
    while (at_ < words_.size()) {
      const Argument& word = words_[at_];
      if (!ended_ && word.is("--")) {
        ++at_;
        ended_ = true;
      } else if (!ended_ && !word.known() && !in_expression_) {
        not_known(word);
      } else if (!ended_ && word.is("-") && options_.find("-") != nullptr) {
        ++at_;
        meaning(*options_.find("-"), word);
      } else if (!ended_ && word.known() &&
                 (is_option(word.text) ||
                  (word.text.starts_with('+') && word.text.size() > 1 && options_.has_plus()))) {
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
    confirmed_ = options_.met(std::exchange(met_, {}));
    return std::move(sorted_);
  }

  void trouble(std::string why) {
    if (sorted_.trouble.empty()) sorted_.trouble = std::move(why);
  }

  void not_known(const Argument& word) {
    const bool starts = !word.start.empty();
    if (starts && !is_option(word.start) && word.start != "-") return operand(word);
    if (starts && word.start.starts_with("--") && word.start.find('=') != std::string::npos) {
      ++at_;
      const std::size_t equals = word.start.find('=');
      Argument value = word;
      value.start = word.start.substr(equals + 1);
      const Option* found = options_.find_long(std::string_view(word.start).substr(0, equals));
      if (found == nullptr) return unlisted(word);
      return meaning(*found, std::move(value));
    }
    if (word.digits && word.start.size() == 2 && is_option(word.start)) {
      const Option* found = options_.find(word.start);
      if (found != nullptr && found->takes != Option::Takes::nothing) {
        ++at_;
        return meaning(*found, word);
      }
      if (found == nullptr && entry_->any_option) {
        ++at_;
        return unlisted(word);
      }
    }
    const bool name = word.sort == Argument::Sort::glob && word.text.find('/') == std::string::npos;
    if (!word.number && options_.may(name ? effects_of_name : effects)) trouble(may_be_option);
    operand(word);
  }

  void unlisted(const Argument& word) {
    if (!entry_->any_option) trouble(not_listed);
    sorted_.options.push_back({{Role::guess}, word});
  }

  // Of a program whose options are not all listed: the next word may be the value of this one.
  void may_take_next(const Argument& word) {
    sorted_.options.push_back({{Role::guess}, word});
    value_at_ = at_;
  }

  void meaning(const Option& option, Argument value) {
    std::string name = options_.name_of(option);
    met_.insert(name);
    if (option.roles.has(Role::recursive)) sorted_.recursive = true;
    if (option.roles.has(Role::skips)) skips_ = true;
    if (option.roles.has(Role::exec)) return command_until_end(std::move(value), name);
    if (option.roles.has(Role::command)) {
      skips_ = true;
      sorted_.commands.emplace_back(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
      sorted_.commands.back().insert(sorted_.commands.back().begin(), value);
      sorted_.options.push_back({{Role::skips}, std::move(value), std::move(name), at_});
      at_ = words_.size();
      return;
    }
    sorted_.options.push_back({option.roles, std::move(value), std::move(name), at_});
  }

  // Takes the option's value from the next word.
  void meaning_of_next(const Option& option) {
    if (at_ >= words_.size()) return trouble("an option without its value");
    if (words_[at_].spread) trouble(may_be_option);
    Argument value = words_[at_++];
    meaning(option, std::move(value));
  }

  void option(const Argument& word) {
    if (entry_->one_dash && word.text.size() > 2 && word.text[1] != '-' && word.text[0] == '-') {
      const Option* letter = word.text[2] == '=' ? options_.find(word.text.substr(0, 2)) : nullptr;
      if (letter == nullptr) return option({Argument::Sort::known, "-" + word.text});
      return meaning(*letter, {Argument::Sort::known, word.text.substr(3)});
    }
    const std::string_view text = word.text;
    const std::size_t equals = text.find('=');
    const bool singles = entry_->style == Entry::Style::single || entry_->style == Entry::Style::find;
    if (entry_->style == Entry::Style::find) in_expression_ = in_expression_ || find_expression(text);
    if (!singles && !text.starts_with("--")) return letters(word, text.substr(1));
    const bool glued = equals != std::string_view::npos && entry_->style != Entry::Style::find;
    const std::string_view name = glued ? text.substr(0, equals) : text;
    const Option* found = singles ? options_.find(name) : options_.find_long(name);
    if (found == nullptr && entry_->glued && text.size() > 2) {
      const Option* letter = options_.find(text.substr(0, 2));
      if (letter != nullptr && letter->takes == Option::Takes::value)
        return meaning(*letter, {Argument::Sort::known, std::string(text.substr(2))});
    }
    if (found == nullptr) {
      if ((name == "--help" || name == "--version") && !glued) return;
      if (entry_->any_option) return may_be_listed(word, name);
      return unlisted(word);
    }
    if (glued) return meaning(*found, {Argument::Sort::known, std::string(text.substr(equals + 1))});
    if (found->takes == Option::Takes::value) return meaning_of_next(*found);
    meaning(*found, {Argument::Sort::known, std::string(text)});
  }

  static bool find_expression(std::string_view text) {
    return text != "-H" && text != "-L" && text != "-P" && !text.starts_with("-O") && text != "-D";
  }

  // Of a program whose options are not all listed: the beginning of one that is may be meant.
  void may_be_listed(const Argument& word, std::string_view name) {
    for (const auto& [listed, option] : entry_->options)
      if (listed.starts_with("--") && std::string_view(listed).starts_with(name) && option.roles.any(effects))
        trouble("an option that changes what the command does");
    if (word.text.find('=') != std::string::npos) return unlisted(word);
    may_take_next(word);
  }

  void letters(const Argument& word, std::string_view letters) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const char letter = letters[i];
      const char spelled[2] = {word.text.starts_with('+') ? '+' : '-', letter};
      const Option* found = options_.find(std::string_view(spelled, 2));
      if (found == nullptr && letter >= '0' && letter <= '9') found = options_.find("-#");
      if (found == nullptr) {
        if (!entry_->any_option) return unlisted(word);
        continue;  // the letters behind it may be its value, or options
      }
      const std::string_view rest = letters.substr(i + 1);
      if (found->takes == Option::Takes::nothing) {
        meaning(*found, {Argument::Sort::known, std::string(spelled, 2)});
      } else if (!rest.empty() || found->takes == Option::Takes::glued_value) {
        if (rest.starts_with('=') && found->roles.any(effects)) {
          trouble("a value that may begin behind its `=`");
          sorted_.options.push_back({{Role::guess}, {Argument::Sort::known, std::string(rest.substr(1))}});
        }
        return meaning(*found, {Argument::Sort::known, std::string(rest)});
      } else {
        return meaning_of_next(*found);
      }
    }
    if (entry_->any_option) may_take_next(word);
  }

  // Values of its letters follow as words of their own, in the same order.
  void bundle(std::string_view letters) {
    for (const char letter : letters) {
      const char spelled[2] = {'-', letter};
      const Option* found = options_.find(std::string_view(spelled, 2));
      if (found == nullptr) {
        trouble(not_listed);
      } else if (found->takes == Option::Takes::value) {
        meaning_of_next(*found);
      } else {
        meaning(*found, {Argument::Sort::known, std::string(spelled, 2)});
      }
    }
  }

  const std::vector<Roles>& operand_roles() const {
    for (const Entry* overlay : options_.overlays())
      if (!overlay->operands.empty()) return overlay->operands;
    return entry_->operands;
  }

  Roles role_at(std::size_t place) const {
    const std::vector<Roles>& roles = operand_roles();
    if (roles.empty()) return {Role::text};
    return roles[std::min(place + (skips_ && roles.size() > 1 ? 1 : 0), roles.size() - 1)];
  }

  // Where words before it may be values of options, its place may be an earlier one.
  Roles roles_at(std::size_t i) const {
    Roles roles = role_at(i);
    const auto [earlier, maybe_value] = i < places_.size() ? places_[i] : Place{};
    for (std::size_t by = 1; by <= std::min(earlier, i); ++by) {
      const Roles other = role_at(i - by);
      if (other.has(Role::opaque)) roles.add(Role::opaque);
      if (!(other == Roles{Role::text})) roles.add(Role::guess);
    }
    const std::string& text = sorted_.operands[i].word.text;
    if (maybe_value && !operand_roles().empty() && text.find_first_of("/.~@") != std::string::npos)
      roles.add(Role::guess);
    return roles;
  }

  void operand(const Argument& word) {
    // As env takes it: whatever stands before the sign.
    const std::string& text = word.known() ? word.text : word.start;
    const std::size_t equals = text.find('=');
    if (entry_->assigns && sorted_.operands.empty() && equals != std::string::npos) {
      ++at_;
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
        if (const Option* found = options_.find(std::string_view(word.text).substr(0, sign))) {
          ++at_;
          return meaning(*found, {Argument::Sort::known, word.text.substr(sign + 1)});
        }
    }
    if (role_at(sorted_.operands.size()).has(Role::command)) {
      sorted_.commands.emplace_back(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
      at_ = words_.size();
      return;
    }
    if (entry_->style == Entry::Style::posix) ended_ = true;
    if (entry_->style == Entry::Style::find && word.known() && (word.text == "(" || word.text == "!"))
      in_expression_ = true;
    ++at_;
    if (in_expression_) return;
    sorted_.operands.push_back({{}, word, {}, at_});
    const bool maybe_value = value_at_ == at_ - 1;
    places_.push_back({values_, maybe_value});
    if (maybe_value) ++values_;
  }

  void subcommand(const Argument& word) {
    if (value_at_ == at_) trouble("a subcommand that may be the value of an option");
    ++at_;
    const Entry* found = word.known() ? find_(word.text) : nullptr;
    if (found == nullptr) {
      trouble(word.known() ? "a subcommand that is not known" : "a subcommand that is computed");
      for (; at_ < words_.size(); ++at_) sorted_.operands.push_back({{Role::guess}, words_[at_]});
      return;
    }
    SortedWords inner =
        Sorter(*found, words_.subspan(found->named ? at_ - 1 : at_), [this, &word](std::string_view name) {
          return find_(word.text + ' ' + std::string(name));
        }).sort();
    inner.start += found->named ? at_ - 1 : at_;
    at_ = words_.size();
    inner.options.insert(inner.options.begin(), sorted_.options.begin(), sorted_.options.end());
    if (inner.trouble.empty()) inner.trouble = std::move(sorted_.trouble);
    sorted_ = std::move(inner);
    done_ = true;
  }

  // From an `-exec`, whose first word was taken as a value.
  void command_until_end(Argument first, std::string_view option) {
    std::vector<Argument> command{std::move(first)};
    const std::size_t program = at_;
    while (at_ < words_.size()) {
      const Argument& word = words_[at_++];
      if (word.is(";") || (word.is("+") && command.back().is("{}"))) break;
      command.push_back(word);
    }
    const bool odd = std::any_of(command.begin(), command.end(), [](const Argument& word) {
      return !word.known() || (word.text.find("{}") != std::string::npos && !word.is("{}"));
    });
    if (!odd && (option == "-exec" || option == "-ok") && entry_->style == Entry::Style::find) {
      sorted_.on_found.emplace(sorted_.commands.size(), program);
      return sorted_.commands.push_back(std::move(command));
    }
    for (Argument& word : command) {
      if (word.known() && word.text.find("{}") == std::string::npos) continue;
      if (word.known()) word.start = word.text.substr(0, word.text.find("{}"));
      word.sort = Argument::Sort::unknown;
    }
    sorted_.commands.push_back(std::move(command));
    trouble("runs a command on what it finds");
  }

  void name_operands() {
    if (done_) return;
    for (std::size_t i = 0; i < sorted_.operands.size(); ++i)
      if (sorted_.operands[i].roles.empty()) sorted_.operands[i].roles = roles_at(i);
    Roles last = entry_->last;
    for (const Entry* overlay : options_.overlays())
      if (!overlay->last.empty()) last = overlay->last;
    if (!last.empty() && sorted_.operands.size() > 1) sorted_.operands.back().roles = last;
    const bool alone = std::none_of(sorted_.operands.begin(), sorted_.operands.end(),
                                    [](const Meaning& each) { return each.roles.any(places); });
    for (const Entry* overlay : options_.overlays()) {
      if (alone || !overlay->here_alone) sorted_.here.join(overlay->here);
      sorted_.recursive = sorted_.recursive || overlay->recursive;
      if (overlay->opaque) trouble("an option that changes what the command does");
    }
    const bool own = std::all_of(options_.overlays().begin(), options_.overlays().end(),
                                 [](const Entry* overlay) { return overlay->here.empty(); });
    if (own && (alone || !entry_->here_alone)) sorted_.here.join(entry_->here);
    sorted_.recursive = sorted_.recursive || entry_->recursive;
  }

  const Entry* entry_;
  std::span<const Argument> words_;
  const FindSubcommand& find_;
  Options options_;
  std::vector<const Entry*> confirmed_;  // overlays whose option was met
  std::set<std::string, std::less<>> met_;
  SortedWords sorted_;
  // Of an operand: how many before it may be values of options, and whether it may be one.
  struct Place {
    std::size_t earlier = 0;
    bool maybe_value = false;
  };
  std::vector<Place> places_;
  std::size_t values_ = 0;                    // operands so far that may be values
  std::size_t value_at_ = std::string::npos;  // the word that may be one
  std::size_t at_ = 0;
  bool ended_ = false;
  bool skips_ = false;
  bool in_expression_ = false;
  bool done_ = false;
};

}  // namespace

SortedWords sort_words(const Entry& entry, std::span<const Argument> words, const FindSubcommand& find) {
  return Sorter(entry, words, find).sort();
}

}  // namespace policy::command
