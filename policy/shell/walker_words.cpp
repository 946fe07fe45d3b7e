// What words expand to, what assignments set, what redirections open.

#include <algorithm>
#include <array>
#include <utility>

#include "policy/shell/characters.hpp"
#include "policy/shell/variables.hpp"
#include "policy/shell/walker.hpp"

namespace policy::shell {

namespace {

constexpr const char* value_is_evaluated = "a value that is evaluated as arithmetic";
constexpr std::size_t told_values_max = 8;  // of one variable

// Whether a redirection that opens for reading is of the standard input.
bool is_input(std::string_view descriptor) {
  return descriptor.find_first_not_of('0') == std::string_view::npos;
}

// What may stand in a target that is expanded twice: nothing of it changes.
bool expands_to_itself(const Argument& target) {
  return target.number || (target.known() && std::all_of(target.text.begin(), target.text.end(), [](char c) {
                             return begins_name(c) || digit(c) || static_cast<unsigned char>(c) >= 0x80 ||
                                    std::string_view("/.-:=+@%,").find(c) != std::string_view::npos;
                           }));
}

// `declare -A`: what stands in the brackets of a value behind it is text.
bool declares_map(const std::vector<Word>& words, std::size_t before) {
  constexpr std::array<std::string_view, 4> declaring{"declare", "typeset", "local", "readonly"};
  const auto literal = [&](std::size_t at) { return words[at].literal().value_or(""); };
  if (words.empty() || std::find(declaring.begin(), declaring.end(), literal(0)) == declaring.end())
    return false;
  bool map = false;
  for (std::size_t i = 1; i < before; ++i) {
    const std::string option = literal(i);
    if (!option.starts_with('-') || option.find('a') != std::string::npos || option == "--") break;
    map = map || option.find('A') != std::string::npos;
  }
  return map;
}

bool is_digits(const Word& word) {
  const std::string text = word.literal().value_or("");
  return !text.empty() && std::all_of(text.begin(), text.end(), digit);
}

bool any_glob(const std::vector<Argument>& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const Argument& word) { return word.sort != Argument::Sort::known; });
}

}  // namespace

void Walker::follow(const Expansion& expansion, State& state, std::string& trouble) {
  for (const List* inner : expansion.lists) {
    const Within input(input_, Input());
    const Apart apart(*this);
    list(*inner, state);
  }
  const auto constant = [&](const std::string& name) { return constants_.contains(name); };
  const bool fails = expansion.may_fail || (unmatched_fails_ && any_glob(expansion.words)) ||
                     std::any_of(expansion.assigned.begin(), expansion.assigned.end(), constant);
  if (fails) drop_line(state);
  for (const std::string& name : expansion.assigned) {
    Argument number = unknown_value();
    number.number = true;
    set_variable(state, name, std::move(number));
  }
  if (trouble.empty()) trouble = expansion.trouble;
  if (fails) drop_line(state);
}

void Walker::drop_line(const State& state) { dropped_ = either(dropped_, std::optional(state)); }

void Walker::keep_variable(State& state, const std::string& name, Argument value) const {
  if (constants_.contains(name)) value = unknown_value();
  state.variables.change().insert_or_assign(name, std::move(value));
}

void Walker::tell_set(const std::string& name, Argument value) {
  std::vector<Argument>& values = set_[name];
  if (std::find(values.begin(), values.end(), value) != values.end()) return;
  if (values.size() < told_values_max)
    values.push_back(std::move(value));
  else
    values.back() = unknown_value();
}

void Walker::set_variable(State& state, const std::string& name, Argument value) {
  tell_set(name, value);
  if (is_counter(name) && !is_number(value)) {
    Simple evaluated;
    evaluated.trouble = value_is_evaluated;
    evaluated.line = name + "=";
    emit(std::move(evaluated), state);
  }
  keep_variable(state, name, std::move(value));
}

void Walker::list_names(const Word& word, const Expansion& expansion, std::vector<Argument>& listed) {
  const bool matches = std::any_of(word.parts.begin(), word.parts.end(), [](const Part& part) {
    return !part.quoted && part.kind != Part::Kind::literal && part.kind != Part::Kind::tilde;
  });
  if (!matches) return;
  for (const Argument& each : expansion.words)
    if (each.sort == Argument::Sort::glob) listed.push_back(each);
}

// A word of literals alone is itself.
void Walker::words(const Word& word, State& state, std::string& trouble, std::vector<Argument>& into,
                   std::vector<Argument>& listed) {
  std::optional<std::string> literal;
  if (!word.parts.empty()) literal = word.literal();
  if (literal) {
    into.push_back({Argument::Sort::known, std::move(*literal)});
    return;
  }
  Expansion expansion = expander().words(word, state);
  follow(expansion, state, trouble);
  list_names(word, expansion, listed);
  std::move(expansion.words.begin(), expansion.words.end(), std::back_inserter(into));
}

Argument Walker::value(const Word& word, State& state, std::string& trouble) {
  if (std::optional<std::string> literal = word.literal())
    return {Argument::Sort::known, std::move(*literal)};
  Expansion expansion = expander().single(word, state);
  follow(expansion, state, trouble);
  return std::move(expansion.words.front());
}

Argument Walker::assigned(const Assignment& assignment, bool map, State& state, Simple& simple) {
  Argument set = value(assignment.value, state, simple.trouble);
  for (const Element& element : assignment.elements) {
    if (element.subscript && map) value(*element.subscript, state, simple.trouble);
    if (element.subscript && !map)
      follow(expander().arithmetic(*element.subscript, state), state, simple.trouble);
    std::vector<Argument> values;
    words(element.value, state, simple.trouble, values, simple.listed);
  }
  if (assignment.subscript)
    follow(expander().arithmetic(*assignment.subscript, state), state, simple.trouble);
  const bool list = assignment.array || assignment.subscript;
  if (is_counter(assignment.name) && (list || !is_number(set))) simple.trouble = value_is_evaluated;
  if (assignment.append) {
    const auto before = state.variables->find(assignment.name);
    const bool both = before != state.variables->end() && before->second.known() && set.known();
    set = both ? Argument{Argument::Sort::known, before->second.text + set.text} : unknown_value();
  }
  if (list) {
    lists_.insert(assignment.name);
    set = unknown_value();
  }
  return set;
}

// Where it may not, nothing of the command is done. What is taken for sure: that the standard descriptors are
// open until the line closes one, and that there are descriptors left.
bool Walker::surely_opens(const Redirect& redirect) {
  using Kind = Redirect::Kind;
  const std::string target = redirect.word.literal().value_or("");
  if (redirect.kind == Kind::duplicate && !is_digits(redirect.word)) descriptors_change_ = true;
  if (descriptors_change_ || redirect.descriptor.size() > 2) return false;
  switch (redirect.kind) {
    case Kind::document:
    case Kind::string: return true;
    case Kind::duplicate: return target == "0" || target == "1" || target == "2";
    case Kind::read:
    case Kind::write:
    case Kind::append:
    case Kind::read_write:
    case Kind::both:
    case Kind::append_both: return target == "/dev/null";
  }
  return false;
}

void Walker::open(const std::vector<Redirect>& redirects, State& state, Simple& simple) {
  for (const Redirect& redirect : redirects) {
    simple.may_not_open = simple.may_not_open || !surely_opens(redirect);
    if (redirect.kind == Redirect::Kind::document || redirect.kind == Redirect::Kind::string) {
      const Word& word = redirect.kind == Redirect::Kind::document ? *redirect.document : redirect.word;
      Argument text = value(word, state, simple.trouble);
      if (!is_input(redirect.descriptor)) continue;
      simple.input.sort = text.known() ? Input::Sort::literal : Input::Sort::given;
      simple.input.text = std::move(text.text);
      continue;
    }
    Expansion target = expander().words(redirect.word, state);
    follow(target, state, simple.trouble);
    if (is_variable_name(redirect.descriptor)) set_variable(state, redirect.descriptor, unknown_value());
    Opened opened{redirect.kind, {}};
    if (target.words.size() == 1) {
      opened.target = std::move(target.words.front());
    } else {
      opened.target = unknown_value();
      opened.target.text =
          text_.substr(redirect.word.span.begin, redirect.word.span.end - redirect.word.span.begin);
    }
    if (redirect.twice && !expands_to_itself(opened.target))
      simple.trouble = "a redirection's target that is expanded twice";
    const bool input = redirect.kind == Redirect::Kind::read || redirect.kind == Redirect::Kind::read_write ||
                       redirect.kind == Redirect::Kind::duplicate;
    if (input && is_input(redirect.descriptor)) simple.input = {Input::Sort::given, {}};
    simple.opened.push_back(std::move(opened));
  }
}

// Each finds what those before it have set.
void Walker::assign(const Assignment& assignment, bool own, const Command& command, State& state,
                    Simple& simple) {
  // A subscript may be none, a variable one that cannot be set: an error, where no command stands behind.
  const bool fails = (assignment.subscript && !is_digits(*assignment.subscript)) ||
                     (command.words.empty() && constants_.contains(assignment.name));
  if (fails) drop_line(state);
  const bool map = !own && declares_map(command.words, assignment.words_before);
  Argument value = assigned(assignment, map, state, simple);
  if (own) {
    keep_variable(state, assignment.name, value);
    simple.assignments.emplace_back(assignment.name, std::move(value));
    return;
  }
  if (!simple.assignments.empty()) value = unknown_value();
  simple.declared.push_back({assignment.name, std::move(value), assignment.array || assignment.subscript});
}

void Walker::put_back(State& state, const Simple& simple, const State& before) {
  for (const auto& [name, value] : simple.assignments) {
    const auto now = state.variables->find(name);
    const bool same = now != state.variables->end() && now->second == value;
    const auto then = before.variables->find(name);
    auto& variables = state.variables.change();
    if (!same)
      variables.insert_or_assign(name, unknown_value());
    else if (then == before.variables->end())
      variables.erase(name);
    else
      variables.insert_or_assign(name, then->second);
  }
}

}  // namespace policy::shell
