// Groups, branches, loops, conditions, functions.

#include <algorithm>
#include <array>
#include <utility>

#include "policy/shell/walker.hpp"

namespace policy::shell {

Flow Walker::compound(const Command& command, const State& before) {
  State state = before;
  const Within input(input_, input_);
  std::optional<State> unopened;
  if (!command.redirects.empty()) {
    Simple opened;
    opened.input = input_;
    open(command.redirects, state, opened);
    // What one command has read of it the next does not find.
    input_ = opened.input.sort == Input::Sort::literal ? Input{Input::Sort::given, {}} : opened.input;
    opened.line = text_.substr(command.span.begin, command.span.end - command.span.begin);
    if (opened.may_not_open) unopened = state;
    if (!opened.opened.empty() || !opened.trouble.empty()) emit(std::move(opened), state);
  }
  Flow flow = inside(command, std::move(state));
  if (unopened) flow.failed = either(flow.failed, unopened);
  return flow;
}

// A compound command, its redirections done.
Flow Walker::inside(const Command& command, State state) {
  switch (command.kind) {
    case Command::Kind::simple: break;
    case Command::Kind::group: return list(command.body, state);
    case Command::Kind::subshell: {
      const Apart apart(*this);
      list(command.body, state);
      return Flow::any(std::move(state));
    }
    case Command::Kind::if_clause: return if_clause(command, state);
    case Command::Kind::loop: return loop(command, state);
    case Command::Kind::for_each: return for_each(command, std::move(state));
    case Command::Kind::for_count:
      for (const Word& word : command.words) {
        Simple counted;
        follow(expander().arithmetic(word, state), state, counted.trouble);
        if (!counted.trouble.empty()) emit(std::move(counted), state);
      }
      return repeated(command.body, std::move(state));
    case Command::Kind::case_clause: return case_clause(command, state);
    case Command::Kind::arithmetic:
    case Command::Kind::condition: return condition(command, state);
    case Command::Kind::function: return define(command, std::move(state));
    case Command::Kind::coprocess: {
      if (is_variable_name(command.name)) set_variable(state, command.name, unknown_value());
      const Within piped(input_, Input{Input::Sort::given, {}});
      const Apart apart(*this);
      list(command.body, state);
      return Flow::any(std::move(state));
    }
  }
  return Flow::any(std::move(state));
}

Flow Walker::if_clause(const Command& command, const State& state) {
  Flow out;
  std::optional<State> from = state;
  State last = state;
  std::size_t at = 0;
  for (; at + 1 < command.parts.size(); at += 2) {
    const bool reached = from.has_value();
    if (reached) last = *from;
    const Flow tested = list(command.parts[at], last);
    const bool taken = reached && tested.succeeded;
    const Flow body = list(command.parts[at + 1], tested.succeeded.value_or(last));
    if (taken) out.add(body);
    from = reached ? tested.failed : std::nullopt;
  }
  if (at < command.parts.size()) {
    const Flow other = list(command.parts[at], from.value_or(last));
    if (from) out.add(other);
  } else if (from) {
    out.succeeded = either(out.succeeded, from);
  }
  return out;
}

// Followed until a further round changes nothing: what the rounds leave different is not known.
Flow Walker::loop(const Command& command, const State& state) {
  const Emptied broke(broke_);
  const Emptied continued(continued_);
  const Within loops(loops_, loops_ + 1);
  State at = state;
  std::optional<State> ended;
  for (;;) {
    const std::size_t before = grown();
    const Flow tested = list(command.parts[0], at);
    const Flow body = list(command.parts[1], tested.after().value_or(at));
    ended = either(tested.after(), broke_);
    State next = either(at, body.after().value_or(at));
    if (continued_) next = either(next, *continued_);
    if ((next == at && grown() == before) || error_) break;
    at = std::move(next);
  }
  return {ended, ended};
}

Flow Walker::repeated(const List& body, State state) {
  const Emptied broke(broke_);
  const Emptied continued(continued_);
  const Within loops(loops_, loops_ + 1);
  return repeat(body, std::move(state));
}

Flow Walker::repeat(const List& body, State state) {
  for (;;) {
    const std::size_t before = grown();
    const Flow round = list(body, state);
    State next = either(state, round.after().value_or(state));
    if (continued_) next = either(next, *continued_);
    if ((next == state && grown() == before) || error_)
      return Flow::any(broke_ ? either(state, *broke_) : std::move(state));
    state = std::move(next);
  }
}

Flow Walker::for_each(const Command& command, State state) {
  const Emptied broke(broke_);
  const Emptied continued(continued_);
  const Within loops(loops_, loops_ + 1);
  std::vector<Argument> values;
  Simple opened;
  for (const Word& word : command.words) words(word, state, opened.trouble, values, opened.listed);
  if (!opened.listed.empty() || !opened.trouble.empty()) emit(std::move(opened), state);
  const State unset = state;
  if (command.keyword) {
    // `select`: what somebody picks, or nothing, until there is no more input.
    set_variable(state, "REPLY", unknown_value());
    set_variable(state, command.name, unknown_value());
    Flow rounds = repeat(command.body, std::move(state));
    rounds.add(Flow::any(unset));
    return rounds;
  }
  for (Argument& each : values) {
    if (error_) break;
    const bool several = each.spread;
    each.spread = false;
    set_variable(state, command.name, std::move(each));
    const State before = state;
    const Flow flow = list(command.body, state);
    state = flow.after().value_or(before);
    if (continued_) state = either(state, *continued_);
    if (!several) continue;
    state = either(before, state);
    set_variable(state, command.name, before.variables->at(command.name));
    Flow rest = repeat(command.body, std::move(state));
    state = std::move(*rest.succeeded);
  }
  if (broke_) state = either(state, *broke_);
  if (constants_.contains(command.name)) state = either(state, unset);  // no round
  return Flow::any(std::move(state));
}

// An arm may be come to from the one before it (`;&`).
Flow Walker::case_clause(const Command& command, const State& before) {
  State state = before;
  Simple opened;
  for (const Word& word : command.words) value(word, state, opened.trouble);
  Flow out = Flow::any(state);
  std::optional<State> from = state;
  for (const CaseArm& arm : command.arms) {
    for (const Word& pattern : arm.patterns) value(pattern, state, opened.trouble);
    const Flow body = list(arm.body, from.value_or(state));
    out.add(body);
    from = either(std::optional(state), body.after());
  }
  if (!opened.trouble.empty()) emit(std::move(opened), state);
  return out;
}

// `[[ … ]]` and `((…))`: evaluated as arithmetic are the operands of `-eq` and its like, and what `-v` names.
Flow Walker::condition(const Command& command, const State& before) {
  constexpr std::array<std::string_view, 6> comparing{"-eq", "-ne", "-lt", "-le", "-gt", "-ge"};
  State state = before;
  Simple tested;
  tested.line = text_.substr(command.span.begin, command.span.end - command.span.begin);
  if (command.kind == Command::Kind::arithmetic) {
    for (const Word& word : command.words) follow(expander().arithmetic(word, state), state, tested.trouble);
  } else {
    const auto compares = [&](std::size_t at) {
      if (at >= command.words.size()) return false;
      const auto word = command.words[at].literal();
      return word && std::find(comparing.begin(), comparing.end(), *word) != comparing.end();
    };
    for (std::size_t i = 0; i < command.words.size(); ++i) {
      const Word& word = command.words[i];
      if (compares(i + 1) || (i > 0 && compares(i - 1))) {
        follow(expander().arithmetic(word, state), state, tested.trouble);
        continue;
      }
      const Argument argument = value(word, state, tested.trouble);
      const bool names =
          i > 0 && (command.words[i - 1].literal() == "-v" || command.words[i - 1].literal() == "-R");
      if (names && !(argument.known() && is_variable_name(argument.text)))
        tested.trouble = "a test of a name that may be evaluated";
    }
  }
  if (!tested.trouble.empty()) emit(std::move(tested), state);
  return Flow::any(std::move(state));
}

Flow Walker::define(const Command& command, State state) {
  const Function function{&command, text_};
  const auto same = [&](const Function& other) { return other == function; };
  if (std::none_of(defined_.begin(), defined_.end(), same)) defined_.push_back(function);
  const bool fixed = fixed_functions_.contains(command.name);
  state.functions.change().insert_or_assign(command.name, fixed ? Function() : function);
  return Flow::any(std::move(state));
}

}  // namespace policy::shell
