// Lists, pipelines, simple commands, and the words they are made of.

#include "policy/shell/walker.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "policy/shell/characters.hpp"
#include "policy/shell/parse.hpp"
#include "policy/shell/variables.hpp"

namespace policy::shell {

namespace {

constexpr const char* value_is_evaluated = "a value that is evaluated as arithmetic";
constexpr std::size_t told_values_max = 8;  // of one variable

}  // namespace

bool is_variable_name(std::string_view text) {
  return !text.empty() && begins_name(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return begins_name(c) || digit(c); });
}

namespace {

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
bool declares_map(const std::vector<Word>& words, Span behind) {
  constexpr std::array<std::string_view, 4> declaring{"declare", "typeset", "local", "readonly"};
  const auto literal = [&](std::size_t at) { return words[at].literal().value_or(""); };
  if (words.empty() || std::find(declaring.begin(), declaring.end(), literal(0)) == declaring.end())
    return false;
  bool map = false;
  for (std::size_t i = 1; i < words.size() && words[i].span.begin < behind.begin; ++i) {
    const std::string option = literal(i);
    if (!option.starts_with('-') || option.find('a') != std::string::npos || option == "--") break;
    map = map || option.find('A') != std::string::npos;
  }
  return map;
}

}  // namespace

void Walker::fail(base::Code code, std::string what) {
  if (!error_) error_ = base::Error(code, std::move(what));
}

Flow Walker::line(std::string_view text, const State& state) {
  auto parsed = parse(text);
  if (!parsed) {
    if (!error_) error_ = parsed.error();
    return Flow::any(state);
  }
  if (std::string why = trouble_with_dialect(text, *parsed, dialect_); !why.empty()) {
    fail(base::Code::invalid, std::move(why));
    return Flow::any(state);
  }
  texts_.emplace_back(text);
  trees_.push_back(std::move(*parsed));
  const Within in(text_, std::string_view(texts_.back()));
  return list(trees_.back(), state);
}

// What no step comes to is followed all the same, from where the step before it began.
Flow Walker::list(const List& list, const State& state) {
  Flow flow{state, std::nullopt};
  State last = state;
  const bool background = std::any_of(list.steps.begin(), list.steps.end(),
                                      [](const Step& step) { return step.joint == Step::Joint::background; });
  State chain;  // where the steps joined by `&&` and `||` began: for what follows one in the background
  if (background) chain = state;
  for (const Step& step : list.steps) {
    if (error_) break;
    std::optional<State> from;
    switch (step.joint) {
      case Step::Joint::next: from = flow.take_after(); break;
      case Step::Joint::background: from = either(flow.take_after(), chain); break;
      case Step::Joint::both: from = std::move(flow.succeeded); break;
      case Step::Joint::either: from = std::move(flow.failed); break;
    }
    const bool reached = from.has_value();
    if (reached) last = std::move(*from);
    Flow next = pipeline(step.pipeline, last);
    if (!reached) {
      if (std::optional<State> after = next.after()) last = std::move(*after);
      next = {};
    }
    switch (step.joint) {
      case Step::Joint::next:
      case Step::Joint::background:
        flow = std::move(next);
        if (background) chain = last;
        break;
      case Step::Joint::both:
        flow.succeeded = std::move(next.succeeded);
        flow.failed = either(flow.failed, next.failed);
        break;
      case Step::Joint::either:
        flow.succeeded = either(flow.succeeded, next.succeeded);
        flow.failed = std::move(next.failed);
        break;
    }
  }
  return flow;
}

Flow Walker::pipeline(const Pipeline& pipeline, const State& state) {
  if (pipeline.commands.size() == 1) {
    Flow flow = command(pipeline.commands.front(), state);
    return pipeline.negated ? Flow{std::move(flow.failed), std::move(flow.succeeded)} : flow;
  }
  const Emptied broke(broke_);
  const Emptied continued(continued_);
  const Within loops(loops_, std::size_t{0});
  const Emptied returned(returned_);
  bool first = true;
  for (const Command& each : pipeline.commands) {
    if (first) {
      command(each, state);
    } else {
      const Within piped(input_, Input{Input::Sort::given, {}});
      command(each, state);
    }
    first = false;
  }
  return Flow::any(state);
}

Flow Walker::command(const Command& command, const State& state) {
  if (++followed_ > followed_max) fail(base::Code::limit, "more commands than are followed");
  if (depth_ >= followed_depth_max) fail(base::Code::limit, "commands nested too deeply");
  if (error_) return Flow::any(state);
  const Within deeper(depth_, depth_ + 1);
  return command.kind == Command::Kind::simple ? simple(command, state) : compound(command, state);
}

void Walker::follow(const Expansion& expansion, State& state, std::string& trouble) {
  for (const List* inner : expansion.lists) {
    const Within input(input_, Input());
    const Emptied broke(broke_);
    const Emptied continued(continued_);
    const Within loops(loops_, std::size_t{0});
    const Emptied returned(returned_);
    list(*inner, state);
  }
  for (const std::string& name : expansion.assigned) {
    Argument number = unknown_value();
    number.number = true;
    set_variable(state, name, std::move(number));
  }
  if (trouble.empty()) trouble = expansion.trouble;
}

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

// A word of literals alone is itself.
void Walker::words(const Word& word, State& state, std::string& trouble, std::vector<Argument>& into) {
  std::optional<std::string> literal;
  if (!word.parts.empty()) literal = word.literal();
  if (literal) {
    into.push_back({Argument::Sort::known, std::move(*literal)});
    return;
  }
  Expansion expansion = expander().words(word, state);
  follow(expansion, state, trouble);
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
    follow(expander().words(element.value, state), state, simple.trouble);
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

void Walker::open(const std::vector<Redirect>& redirects, State& state, Simple& simple) {
  for (const Redirect& redirect : redirects) {
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

void Walker::emit(Simple&& simple, const State& state) {
  if (commands_.size() >= commands_max) return fail(base::Code::limit, "more commands than are looked at");
  simple.directories = *state.directories;
  commands_.push_back(std::move(simple));
}

// Each finds what those before it have set.
void Walker::assign(const Assignment& assignment, bool own, const Command& command, State& state,
                    Simple& simple) {
  const bool map = !own && declares_map(command.words, assignment.span);
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

Flow Walker::simple(const Command& command, State state) {
  Simple simple;
  simple.input = input_;
  simple.line = text_.substr(command.span.begin, command.span.end - command.span.begin);
  simple.words.reserve(command.words.size());
  for (const Word& word : command.words) words(word, state, simple.trouble, simple.words);
  const State before = state;
  for (const Assignment& assignment : command.assignments) {
    const bool own = command.words.empty() || assignment.span.begin < command.words.front().span.begin;
    assign(assignment, own, command, state, simple);
  }
  if (!simple.words.empty()) put_back(state, simple, before);
  // dash sets variables of a command without words behind its redirections.
  if (dialect_ == Dialect::posix && !command.redirects.empty()) state = either(before, state);
  open(command.redirects, state, simple);
  if (!simple.words.empty()) return run(std::move(simple), std::move(state));
  const bool told = !simple.assignments.empty() || !simple.opened.empty() || !simple.trouble.empty();
  if (told) emit(std::move(simple), state);
  return Flow::any(std::move(state));
}

Flow Walker::run(Simple&& simple, State state, bool functions) {
  if (simple.words.empty()) {
    emit(std::move(simple), state);
    return Flow::any(std::move(state));
  }
  const Argument& head = simple.words.front();
  if (head.known() && functions) {
    if (const auto found = state.functions->find(head.text); found != state.functions->end()) {
      if (found->second.definition != nullptr) return call(found->second, simple, state);
      if (simple.trouble.empty()) simple.trouble = "a name that may be a function";
    }
  }
  if (head.known()) {
    if (std::optional<Flow> flow = builtin(simple, state)) return std::move(*flow);
  }
  emit(std::move(simple), state);
  return Flow::any(std::move(state));
}

Flow Walker::call(const Function& function, const Simple& simple, const State& state) {
  called_.push_back(function.definition);
  State inside = state;
  inside.parameters = parameters_of({simple.words.begin() + 1, simple.words.end()});
  for (const auto& [name, set] : simple.assignments) keep_variable(inside, name, set);
  // What the call itself opens and sets is told without a command.
  Simple beside = simple;
  beside.words.clear();
  if (!beside.opened.empty() || !beside.assignments.empty() || !beside.trouble.empty())
    emit(std::move(beside), state);
  const Within line(text_, function.line);
  // What one command has read of it the next does not find.
  const bool literal = simple.input.sort == Input::Sort::literal;
  const Within input(input_, literal ? Input{Input::Sort::given, {}} : simple.input);
  const std::size_t locals = locals_.size();
  const Emptied broke(broke_);
  const Emptied continued(continued_);
  const Within loops(loops_, std::size_t{0});
  std::optional<State> left;
  Flow flow;
  {
    const Emptied returned(returned_);
    const Within calls(calls_, calls_ + 1);
    flow = command(function.definition->body.steps.front().pipeline.commands.front(), inside);
    left = std::move(returned_);
  }
  flow.add({left, left});
  for (std::optional<State>* each : {&flow.succeeded, &flow.failed}) {
    if (!*each) continue;
    (*each)->parameters = state.parameters;
    for (std::size_t i = locals; i < locals_.size(); ++i)
      (*each)->variables.change().insert_or_assign(locals_[i], unknown_value());
    for (const auto& [name, set] : simple.assignments)
      (*each)->variables.change().insert_or_assign(name, unknown_value());
  }
  return flow;
}

void Walker::variables_set() {
  if (set_.empty() || error_) return;
  Simple simple;
  for (const auto& [name, values] : set_) {
    for (const Argument& value : values) simple.assignments.emplace_back(name, value);
    simple.line += (simple.line.empty() ? "" : " ") + name + "=";
  }
  emit(std::move(simple), State());
}

void Walker::uncalled_functions() {
  // Once more, now that all is seen that may stand behind them.
  for (std::size_t i = 0; i < traps_.size() && !error_; ++i) line(std::string(traps_[i]), State());
  if (!traps_.empty() && !defined_.empty()) {
    Simple later;
    later.trouble = "a trap may run what a function is made to do later";
    emit(std::move(later), State());
  }
  for (std::size_t i = 0; i < defined_.size() && !error_; ++i) {
    if (std::find(called_.begin(), called_.end(), defined_[i].definition) != called_.end()) continue;
    const Within line(text_, defined_[i].line);
    State unknown;
    list(defined_[i].definition->body, unknown);
  }
}

}  // namespace policy::shell
