#include "policy/shell/expand.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "policy/shell/arithmetic.hpp"
#include "policy/shell/braces.hpp"
#include "policy/shell/characters.hpp"

namespace policy::shell {

namespace {

constexpr std::string_view blanks = " \t\n";  // the default IFS
constexpr std::string_view glob_characters = "*?[\\";
constexpr std::size_t value_bytes_max = 64u << 10;

bool holds_glob(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

// A bracket that is not closed stands for itself.
bool means_glob(std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      ++i;
    } else if (pattern[i] == '*' || pattern[i] == '?' ||
               (pattern[i] == '[' && pattern.find(']', i + 1) != std::string_view::npos)) {
      return true;
    }
  }
  return false;
}

// Commands that are known to print a whole number, and nothing else.
bool prints_number(const List& list, const State& state) {
  constexpr std::array<std::string_view, 4> lines{"nproc", "id -u", "date +%s", "getconf _NPROCESSORS_ONLN"};
  if (list.steps.size() != 1 || list.steps.front().pipeline.commands.size() != 1) return false;
  const Command& command = list.steps.front().pipeline.commands.front();
  if (command.kind != Command::Kind::simple || !command.assignments.empty() || !command.redirects.empty())
    return false;
  std::string line;
  for (const Word& word : command.words) line += (line.empty() ? "" : " ") + word.literal().value_or("?");
  return std::find(lines.begin(), lines.end(), line) != lines.end() &&
         !state.functions->contains(line.substr(0, line.find(' ')));
}

// `${NAME:FROM}`, `${NAME:FROM:LENGTH}` of plain numbers: no end before the beginning.
bool is_surely_within(const Word& word) {
  std::string text = word.literal().value_or("?");
  text.erase(0, text.find_first_not_of(' '));
  if (text.starts_with('-') && text.find(':') == std::string::npos) text.erase(0, 1);
  return !text.empty() && text.find_first_not_of("0123456789:") == std::string::npos &&
         text.find_first_of(':') == text.find_last_of(':') && !text.starts_with(':') &&
         !text.ends_with(':') && (text.front() != '0' || text.size() == 1 || text[1] == ':') &&
         text.find(":0") == std::string::npos;
}

}  // namespace

std::string escaped_glob(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (glob_characters.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// Collects the words that one word of the line becomes.
class Fields {
 public:
  Fields(const Expander& expander, const State& state, bool splits, Expansion& result)
      : expander_(expander), state_(state), splits_(splits), result_(result) {}

  void add_parts(const Parts& parts, Span span) {
    span_ = span;
    for (const Part* part : parts) add(*part);
    finish();
  }

 private:
  void begin() { open_ = true; }

  void literal(std::string_view text) {
    begin();
    if (!unknown_) start_.append(glob_ ? std::string_view() : text);
    text_.append(text);
    pattern_.append(escaped_glob(text));
  }

  void glob(std::string_view pattern) {
    begin();
    glob_ = true;
    text_.append(pattern);
    pattern_.append(pattern);
  }

  void unknown(bool spread, bool number = false) {
    digits_ = number && (digits_ || !unknown_);
    begin();
    unknown_ = true;
    spread_ = spread_ || (spread && splits_);
  }

  void finish() {
    if (open_) {
      Argument argument;
      argument.start = start_;
      if (unknown_) {
        argument.sort = Argument::Sort::unknown;
        argument.text = expander_.line_.substr(span_.begin, span_.end - span_.begin);
        argument.spread = spread_;
        argument.digits = digits_ && text_ == start_;
        argument.number = argument.digits && start_.empty();
      } else if (glob_ && means_glob(pattern_)) {
        argument.sort = Argument::Sort::glob;
        argument.text = pattern_;
        argument.spread = splits_;
      } else {
        argument.text = std::move(text_);
        argument.start.clear();
      }
      if (result_.words.size() < words_max) {
        result_.words.push_back(std::move(argument));
      } else {
        result_.trouble = "a word that becomes more than " + std::to_string(words_max);
      }
    }
    open_ = glob_ = unknown_ = spread_ = digits_ = false;
    text_.clear();
    pattern_.clear();
    start_.clear();
  }

  // A value that is known, split where it is not quoted.
  void value(std::string_view text, bool quoted) {
    if (text_.size() + text.size() > value_bytes_max) return unknown(!quoted);
    if (quoted || !splits_) return literal(text);
    while (!text.empty()) {
      const std::size_t blank = std::min(text.find_first_of(blanks), text.size());
      if (blank > 0) piece(text.substr(0, blank));
      text.remove_prefix(blank);
      if (text.empty()) break;
      finish();
      text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    }
  }

  void piece(std::string_view text) {
    if (text.find('\\') != std::string_view::npos) {
      unknown(true);  // some shells take it for a pattern's quoting
    } else if (holds_glob(text)) {
      glob(text);
    } else {
      literal(text);
    }
  }

  void argument(const Argument& argument, bool quoted) {
    switch (argument.sort) {
      case Argument::Sort::known: return value(argument.text, quoted);
      case Argument::Sort::glob:
        // The value is one of the names; unquoted it is split, and a pattern once more.
        if (!quoted && splits_) return unknown(true);
        if (!glob_ && !unknown_) start_.append(argument.start);
        return glob(argument.text);
      case Argument::Sort::unknown: return unknown(!quoted && !argument.number, argument.number);
    }
  }

  void add(const Part& part) {
    switch (part.kind) {
      case Part::Kind::literal: return literal(part.text);
      case Part::Kind::glob: return splits_ ? glob(part.text) : literal(part.text);
      case Part::Kind::tilde: return tilde(part);
      case Part::Kind::parameter: return parameter(part);
      case Part::Kind::command: {
        result_.lists.push_back(part.list.get());
        const bool number = prints_number(*part.list, state_);
        return unknown(!part.quoted && !number, number);
      }
      case Part::Kind::process: result_.lists.push_back(part.list.get()); return literal("/dev/fd/63");
      case Part::Kind::arithmetic: {
        for (const Word& word : part.words) include(expander_.arithmetic(word, state_));
        return unknown(false, true);
      }
      case Part::Kind::brace: return unknown(true);  // taken apart before, but for a sequence of another kind
    }
  }

  void include(Expansion&& inner) {
    result_.lists.insert(result_.lists.end(), inner.lists.begin(), inner.lists.end());
    result_.assigned.insert(result_.assigned.end(), inner.assigned.begin(), inner.assigned.end());
    result_.may_fail = result_.may_fail || inner.may_fail;
    if (result_.trouble.empty()) result_.trouble = std::move(inner.trouble);
  }

  void tilde(const Part& part) {
    const Surroundings& around = expander_.around_;
    if (part.text.empty() && !state_.variables->contains("HOME")) return literal(around.home);
    if (!part.text.empty() && part.text == around.user) return literal(around.home);
    if (part.text == "root") return literal("/root");
    if (part.text == "+") return parameter(working_directory());
    unknown(false);
  }

  // `~+` is `$PWD`, not split.
  static Part working_directory() {
    Part part;
    part.kind = Part::Kind::parameter;
    part.quoted = true;
    part.text = "PWD";
    return part;
  }

  std::optional<Argument> variable(std::string_view name) const {
    // The shell sets them as it goes.
    constexpr std::array<std::string_view, 8> owned{"_",        "OLDPWD",    "DIRSTACK", "PIPESTATUS",
                                                    "FUNCNAME", "BASH_ARGV", "COPROC",   "BASH_COMMAND"};
    if (std::find(owned.begin(), owned.end(), name) != owned.end()) return std::nullopt;
    constexpr std::array<std::string_view, 12> numbers{
        "?", "#", "$", "!", "UID", "EUID", "PPID", "RANDOM", "SRANDOM", "SECONDS", "EPOCHSECONDS", "LINENO"};
    Argument known;
    if (std::find(numbers.begin(), numbers.end(), name) != numbers.end()) {
      known = unknown_value();
      known.number = true;
      return known;
    }
    if (const auto set = state_.variables->find(name); set != state_.variables->end()) return set->second;
    if (name == "HOME") {
      known.text = expander_.around_.home;
    } else if (name == "USER" || name == "LOGNAME") {
      known.text = expander_.around_.user;
    } else if (name == "PWD" && state_.directories->size() == 1) {
      known.text = state_.directories->front();
    } else if (name == "IFS") {
      known.text = blanks;
    } else if (const auto place = whole_number(name); place && *place > 0 && *state_.parameters) {
      if (static_cast<std::size_t>(*place) <= (*state_.parameters)->size())
        return (**state_.parameters)[static_cast<std::size_t>(*place) - 1];
    } else {
      return std::nullopt;
    }
    return known;
  }

  void all_parameters(bool joined, bool quoted) {
    if (!*state_.parameters) return unknown(!joined || !quoted);
    if (joined && quoted) return unknown(false);
    bool first = true;
    for (const Argument& each : **state_.parameters) {
      if (!first) finish();
      first = false;
      if (quoted && each.known()) {
        literal(each.text);
      } else {
        argument(each, quoted);
      }
    }
  }

  void parameter(const Part& part) {
    for (const Word& word : part.words) operand(part, word);
    if (part.operation == "#" && part.words.empty()) return unknown(false, true);
    if (part.operation.starts_with('!') && part.operation != "!@" && part.operation != "!*")
      result_.trouble = "an expansion that looks up what a value names";
    const bool list = part.text == "@" || part.text == "*";
    if (part.operation.empty() && list) return all_parameters(part.text == "*", part.quoted);
    const bool whole = part.operation.empty() || part.operation.starts_with(':') || part.operation == "-" ||
                       part.operation == "=";
    const std::optional<Argument> found = whole ? variable(part.text) : std::nullopt;
    const bool assigns = part.operation == ":=" || part.operation == "=";
    if (assigns && !(found && found->known() && !found->text.empty()))
      result_.trouble = "an expansion that sets a variable";
    if (!found) {
      const bool several = list || part.operation.starts_with('[');
      return unknown(!part.quoted || several);
    }
    if (part.operation.empty()) return argument(*found, part.quoted);
    // `${NAME:-…}` and its like: known where the value is, and not empty.
    const bool keeps = part.operation == ":-" || part.operation == "-" || part.operation == ":?" || assigns;
    if (keeps && found->known() && !found->text.empty()) return argument(*found, part.quoted);
    unknown(!part.quoted);
  }

  // The word behind an operator, or a subscript.
  void operand(const Part& part, const Word& word) {
    const bool subscript = part.operation.find('[') != std::string::npos && &word == &part.words.front();
    if (part.operation.ends_with('?')) result_.may_fail = true;
    if (subscript && word.parts.empty()) result_.may_fail = true;
    if (subscript && word.literal() != "@" && word.literal() != "*") {
      include(expander_.arithmetic(word, state_));
    } else if (part.operation.ends_with('@') && part.operation != "!@") {
      result_.trouble = "an expansion that runs what its value says";
    } else if (part.operation.ends_with(':')) {
      Expansion inner = expander_.arithmetic(word, state_);
      inner.may_fail = !is_surely_within(word);
      include(std::move(inner));
    } else {
      include(expander_.single(word, state_));
    }
  }

  const Expander& expander_;
  const State& state_;
  const bool splits_;
  Expansion& result_;
  Span span_;
  std::string text_;
  std::string pattern_;
  std::string start_;
  bool open_ = false;
  bool glob_ = false;
  bool unknown_ = false;
  bool spread_ = false;
  bool digits_ = false;  // all that is not known is
};

Expansion Expander::words(const Word& word, const State& state) const {
  Expansion expansion;
  const Choices choices = choices_of(word);
  if (choices.too_many) expansion.trouble = "more choices in braces than are looked at";
  if (choices.other_parts) expansion.trouble = "braces beside an expansion";
  Fields fields(*this, state, true, expansion);
  for (const Parts& parts : choices.all) fields.add_parts(parts, word.span);
  return expansion;
}

Expansion Expander::single(const Word& word, const State& state) const {
  Expansion expansion;
  Parts parts;
  for (const Part& part : word.parts) parts.push_back(&part);
  Fields(*this, state, false, expansion).add_parts(parts, word.span);
  if (expansion.words.empty()) expansion.words.emplace_back();
  if (expansion.words.size() > 1) expansion.words = {unknown_value()};
  return expansion;
}

// A name stands for its value, which is evaluated too: `a[$(…)]` in a variable would run.
Expansion Expander::arithmetic(const Word& word, const State& state) const {
  Expansion expansion;
  std::string text;
  for (const Part& part : word.parts) {
    Word one{part.span, {part}};
    Expansion inner = single(one, state);
    expansion.lists.insert(expansion.lists.end(), inner.lists.begin(), inner.lists.end());
    expansion.assigned.insert(expansion.assigned.end(), inner.assigned.begin(), inner.assigned.end());
    expansion.may_fail = expansion.may_fail || inner.may_fail;
    if (expansion.trouble.empty()) expansion.trouble = std::move(inner.trouble);
    const Argument& value = inner.words.front();
    if (!is_number(value) && part.kind != Part::Kind::literal)
      expansion.trouble = "arithmetic with a value that is not known";
    text += value.known() ? value.text : "0";
  }
  expansion.may_fail = expansion.may_fail || !surely_evaluates(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') expansion.trouble = "a subscript in arithmetic";
    if (!begins_name(text[i]) || (i > 0 && digit(text[i - 1]))) continue;
    std::size_t end = i;
    while (end < text.size() && (begins_name(text[end]) || digit(text[end]))) ++end;
    const std::string_view name = std::string_view(text).substr(i, end - i);
    const std::size_t next = std::min(text.find_first_not_of(" \t\n", end), text.size());
    const bool assigned = text[next] == '=' && text[next + 1] != '=';  // text ends with a NUL
    if (assigned) expansion.assigned.emplace_back(name);
    const auto set = state.variables->find(name);
    const bool number = set != state.variables->end() && is_number(set->second);
    const bool earlier =
        std::find(expansion.assigned.begin(), expansion.assigned.end(), name) != expansion.assigned.end();
    if (!number && !earlier) expansion.trouble = "arithmetic with a variable that is not known";
    i = end;
  }
  return expansion;
}

}  // namespace policy::shell
