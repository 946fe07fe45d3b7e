// Lists, pipelines, simple commands, functions.

#include "policy/shell/walker.hpp"

#include <algorithm>
#include <utility>

#include "policy/shell/characters.hpp"
#include "policy/shell/parse.hpp"

namespace policy::shell {

bool is_variable_name(std::string_view text) {
  return !text.empty() && begins_name(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return begins_name(c) || digit(c); });
}

Walker::Apart::Apart(Walker& walker)
    : broke_(walker.broke_),
      continued_(walker.continued_),
      returned_(walker.returned_),
      dropped_(walker.dropped_),
      loops_(walker.loops_, std::size_t{0}) {}

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
  const Emptied dropped(dropped_);
  Flow flow = list(trees_.back(), state, true);
  flow.failed = either(flow.failed, dropped_);
  return flow;
}

// What no step comes to is followed all the same, from where the step before it began.
Flow Walker::list(const List& list, const State& state, bool whole_line) {
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
    if (whole_line && step.begins_line && dropped_)
      from = either(from, std::exchange(dropped_, std::nullopt));
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
    // A program to some shells: then nothing happens in this one.
    if (pipeline.timed && dialect_ == Dialect::posix) flow.add(Flow::any(state));
    return pipeline.negated ? Flow{std::move(flow.failed), std::move(flow.succeeded)} : flow;
  }
  const Apart apart(*this);
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

void Walker::emit(Simple&& simple, const State& state) {
  if (commands_.size() >= commands_max) return fail(base::Code::limit, "more commands than are looked at");
  simple.directories = *state.directories;
  commands_.push_back(std::move(simple));
}

Flow Walker::simple(const Command& command, State state) {
  Simple simple;
  simple.input = input_;
  simple.line = text_.substr(command.span.begin, command.span.end - command.span.begin);
  simple.words.reserve(command.words.size());
  for (const Word& word : command.words) words(word, state, simple.trouble, simple.words, simple.listed);
  const State before = state;
  for (const Assignment& assignment : command.assignments) {
    assign(assignment, assignment.words_before == 0, command, state, simple);
  }
  if (!simple.words.empty()) put_back(state, simple, before);
  // dash sets variables of a command without words behind its redirections.
  if (dialect_ == Dialect::posix && !command.redirects.empty()) state = either(before, state);
  open(command.redirects, state, simple);
  if (!simple.words.empty()) {
    const std::optional<State> unopened = simple.may_not_open ? std::optional(state) : std::nullopt;
    Flow flow = run(std::move(simple), std::move(state));
    if (unopened) flow.failed = either(flow.failed, unopened);
    return flow;
  }
  const bool told = !simple.listed.empty() || !simple.assignments.empty() || !simple.opened.empty() ||
                    !simple.trouble.empty();
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
  if (!beside.listed.empty() || !beside.opened.empty() || !beside.assignments.empty() ||
      !beside.trouble.empty())
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
  std::optional<State> dropped;
  Flow flow;
  {
    const Emptied returned(returned_);
    const Emptied outer(dropped_);
    const Within calls(calls_, calls_ + 1);
    flow = command(function.definition->body.steps.front().pipeline.commands.front(), inside);
    left = std::move(returned_);
    dropped = std::move(dropped_);
  }
  flow.add({left, left});
  for (std::optional<State>* each : {&flow.succeeded, &flow.failed, &dropped}) {
    if (!*each) continue;
    (*each)->parameters = state.parameters;
    for (std::size_t i = locals; i < locals_.size(); ++i)
      (*each)->variables.change().insert_or_assign(locals_[i], unknown_value());
    for (const auto& [name, set] : simple.assignments)
      (*each)->variables.change().insert_or_assign(name, unknown_value());
  }
  dropped_ = either(dropped_, dropped);
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
