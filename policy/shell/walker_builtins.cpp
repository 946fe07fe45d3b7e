// What the shell does itself: it changes what the shell knows, and has no effect on anything else. What is
// not listed is told like a program.

#include <algorithm>
#include <array>
#include <utility>

#include "policy/path/path.hpp"
#include "policy/shell/builtin_words.hpp"
#include "policy/shell/walker.hpp"

namespace policy::shell {

namespace {

bool all_known(const std::vector<Argument>& words) {
  return std::all_of(words.begin(), words.end(), [](const Argument& word) { return word.known(); });
}

// Whether it is told to, or made to fail: by `--help`, or an option that is none.
bool may_do_nothing(const std::vector<Argument>& words, std::optional<std::string_view> options) {
  if (words.size() > 1 && words[1].is("--help")) return true;
  for (std::size_t i = 1; options && i < words.size() && words[i].known(); ++i) {
    const std::string& word = words[i].text;
    if (word.size() < 2 || word == "--" || (word.front() != '-' && word.front() != '+')) break;
    if (word.front() == '+' || word.find_first_not_of(*options, 1) != std::string::npos) return true;
  }
  return false;
}

// POSIX.1-2017, «Shell Command Language», 2.14, and what runs such a one.
bool keeps_assignments(std::string_view builtin) {
  constexpr std::array<std::string_view, 19> special{
      ":",     "break", "continue", "eval",  "exec",    "exit",    "export",  "readonly", "return", "set",
      "shift", "times", "trap",     "unset", "command", "builtin", "declare", "typeset",  "local"};
  return std::find(special.begin(), special.end(), builtin) != special.end();
}

void drop_front(std::vector<Argument>& words, std::size_t count) {
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
}

}  // namespace

std::optional<Flow> Walker::builtin(Simple& simple, State& state) {
  struct Builtin {
    std::string_view name;
    Flow (Walker::*run)(Simple&&, State&&);
    // Letters of options beside which it does what follows here; nullopt: what it does is not known any
    // better.
    std::optional<std::string_view> options = std::nullopt;
  };
  static constexpr std::array<Builtin, 47> builtins{{
      {":", &Walker::succeed},
      {"true", &Walker::succeed},
      {"false", &Walker::miss},
      {"type", &Walker::done},
      {"umask", &Walker::done},
      {"ulimit", &Walker::limit},
      {"times", &Walker::done},
      {"jobs", &Walker::jobs},
      {"help", &Walker::done},
      {"disown", &Walker::done},
      {"bg", &Walker::done},
      {"fg", &Walker::done},
      {"suspend", &Walker::done},
      {"caller", &Walker::done},
      {"cd", &Walker::change_directory},
      {"pushd", &Walker::change_directory},
      {"popd", &Walker::change_directory},
      {"exit", &Walker::leave},
      {"return", &Walker::leave},
      {"break", &Walker::leave},
      {"continue", &Walker::leave},
      {"export", &Walker::declare, "n"},
      {"declare", &Walker::declare, "aArxt"},
      {"typeset", &Walker::declare, "aArxt"},
      {"local", &Walker::declare, "aArxt"},
      {"readonly", &Walker::declare, "aA"},
      {"set", &Walker::set},
      {"unset", &Walker::unset},
      {"shift", &Walker::shift},
      {"read", &Walker::read},
      {"getopts", &Walker::read},
      {"mapfile", &Walker::read},
      {"readarray", &Walker::read},
      {"wait", &Walker::read},
      {"printf", &Walker::print},
      {"test", &Walker::test},
      {"[", &Walker::test},
      {"let", &Walker::calculate},
      {"hash", &Walker::switch_options},
      {"shopt", &Walker::switch_options},
      {"trap", &Walker::trap},
      {"eval", &Walker::evaluate, ""},
      {"exec", &Walker::replace, "cla"},
      {"command", &Walker::without_functions, "p"},
      {"builtin", &Walker::without_functions, ""},
      {"logout", &Walker::done},
      {"dirs", &Walker::done},
  }};
  static constexpr std::array<std::string_view, 15> not_in_posix{
      "builtin", "caller", "declare", "dirs",      "disown", "help",    "let",    "logout",
      "mapfile", "popd",   "pushd",   "readarray", "shopt",  "suspend", "typeset"};
  const std::string& name = simple.words.front().text;
  const auto* found = std::find_if(builtins.begin(), builtins.end(),
                                   [&](const Builtin& builtin) { return builtin.name == name; });
  if (found == builtins.end()) return std::nullopt;
  if (dialect_ == Dialect::posix && simple.trouble.empty() &&
      std::find(not_in_posix.begin(), not_in_posix.end(), name) != not_in_posix.end())
    simple.trouble = "a builtin that some shells lack";
  // zsh evaluates numbers: `a[$(…)]` would run.
  const auto subscripted = [](const Argument& word) { return word.text.find('[') != std::string::npos; };
  if (dialect_ == Dialect::zsh && std::any_of(simple.words.begin() + 1, simple.words.end(), subscripted))
    simple.trouble = "a word that zsh may evaluate";
  simple.builtin = true;
  // While it runs, and to some shells for good.
  for (const auto& [variable, value] : simple.assignments)
    if (keeps_assignments(name)) keep_variable(state, variable, unknown_value());
  if (!may_do_nothing(simple.words, found->options))
    return (this->*found->run)(std::move(simple), std::move(state));
  const State before = state;
  Flow flow = (this->*found->run)(std::move(simple), std::move(state));
  flow.add(Flow::any(before));
  return flow;
}

Flow Walker::done(Simple&& simple, State&& state) {
  emit(std::move(simple), state);
  return Flow::any(std::move(state));
}

// Where less may be opened what is opened next may fail.
Flow Walker::limit(Simple&& simple, State&& state) {
  if (simple.words.size() > 1) descriptors_change_ = true;
  return done(std::move(simple), std::move(state));
}

// `jobs -x` runs its words.
Flow Walker::jobs(Simple&& simple, State&& state) {
  for (std::size_t i = 1; i < simple.words.size(); ++i) {
    const Argument& word = simple.words[i];
    if (word.known() && word.text.find('x') == std::string::npos) continue;
    simple.trouble = "a list of jobs that may run a command";
    Simple inner = simple;
    emit(std::move(simple), state);
    drop_front(inner.words, i + 1);
    inner.builtin = false;
    return run(std::move(inner), std::move(state), false);
  }
  return done(std::move(simple), std::move(state));
}

// Where what it opens cannot be opened it fails all the same.
Flow Walker::succeed(Simple&& simple, State&& state) {
  const bool always = !simple.may_not_open;
  emit(std::move(simple), state);
  return always ? Flow{std::move(state), std::nullopt} : Flow::any(std::move(state));
}

Flow Walker::miss(Simple&& simple, State&& state) {
  emit(std::move(simple), state);
  return {std::nullopt, std::move(state)};
}

// Out of a shell, a function or a loop. Where it cannot do so it does nothing.
Flow Walker::leave(Simple&& simple, State&& state) {
  const std::string name = simple.words.front().text;
  const bool plain = simple.words.size() == 1 ||
                     (simple.words.size() == 2 &&
                      (simple.words[1].number ||
                       (simple.words[1].known() && !simple.words[1].text.empty() &&
                        simple.words[1].text.find_first_not_of("0123456789") == std::string::npos)));
  const bool loop = name == "break" || name == "continue";
  const bool one = simple.words.size() == 1 || simple.words[1].is("1");
  if (loop && (!plain || !one || loops_ == 0))
    simple.trouble = "leaves a loop around the one that it stands in";
  const bool leaves =
      plain && simple.trouble.empty() && !simple.may_not_open && (name != "return" || calls_ > 0);
  emit(std::move(simple), state);
  if (name == "return") returned_ = either(returned_, std::optional(state));
  if (name == "break") broke_ = either(broke_, std::optional(state));
  if (name == "continue") continued_ = either(continued_, std::optional(state));
  return leaves ? Flow{} : Flow::any(state);
}

// `..` leads back the way that `cd` came; with `-P`, and where that way is gone, up from where links led.
void Walker::enter(State& changed, const std::string& target, const std::string& from, bool physical) const {
  const auto add = [&](std::string directory) {
    std::vector<std::string>& all = changed.directories.change();
    if (std::find(all.begin(), all.end(), directory) == all.end()) all.push_back(std::move(directory));
  };
  const std::string logical = fold_path(target, from);
  const bool upwards = target.find("..") != std::string::npos;
  const auto real = physical || upwards ? real_path(target, from, *around_.links) : std::nullopt;
  if (!physical) add(logical);
  if (real) add(*real);
}

Flow Walker::change_directory(Simple&& simple, State&& state) {
  State changed = state;
  changed.directories = {};
  changed.variables.change().erase("PWD");
  if (constants_.contains("PWD")) keep_variable(changed, "PWD", unknown_value());
  const std::vector<Argument>& words = simple.words;
  const std::size_t at = options_end(words, "");
  const bool physical =
      std::any_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at),
                  [](const Argument& word) { return word.text.find('P') != std::string::npos; });
  Argument target;
  if (at == words.size()) {
    const auto home = state.variables->find("HOME");
    target = home == state.variables->end() ? Argument{Argument::Sort::known, around_.home} : home->second;
  } else {
    target = words[at];
  }
  const bool stacks = words.front().is("popd") || (words.front().is("pushd") && words.size() != 2);
  const bool clear = simple.assignments.empty() && !stacks && at + 1 >= words.size() && target.known() &&
                     !target.text.empty() && target.text != "-" && !target.text.starts_with('+') &&
                     !target.text.starts_with('-');
  if (clear && target.text.starts_with('/')) enter(changed, target.text, "/", physical);
  if (clear && !target.text.starts_with('/'))
    for (const std::string& directory : *state.directories) enter(changed, target.text, directory, physical);
  if (changed.directories->size() > directories_max) changed.directories = {};
  emit(std::move(simple), state);
  return {std::move(changed), std::move(state)};
}

// Literal text is read in place.
Flow Walker::evaluate(Simple&& simple, State&& state) {
  Simple outer = simple;
  if (!all_known(simple.words)) {
    outer.builtin = false;
    outer.trouble = "text that is evaluated and not known";
    emit(std::move(outer), state);
    State unknown;
    return Flow::any(std::move(unknown));
  }
  std::string text;
  const std::size_t first = options_end(simple.words, "");
  for (std::size_t i = first; i < simple.words.size(); ++i)
    text.append(i > first ? " " : "").append(simple.words[i].text);
  emit(std::move(outer), state);
  if (error_ || ++followed_ > followed_max) return Flow::any(std::move(state));
  const bool literal = simple.input.sort == Input::Sort::literal;
  const Within input(input_, literal ? Input{Input::Sort::given, {}} : simple.input);
  return line(text, state);
}

Flow Walker::trap(Simple&& simple, State&& state) {
  const std::size_t at = options_end(simple.words, "");
  const bool sets = simple.words.size() > at + 1 && !simple.words[at].is("-");
  if (!sets || (simple.words[at].known() && simple.words[at].text.empty())) {
    emit(std::move(simple), state);
    return Flow::any(state);
  }
  if (!simple.words[at].known()) simple.trouble = "text that is evaluated and not known";
  const std::string text = simple.words[at].text;
  if (std::find(traps_.begin(), traps_.end(), text) == traps_.end()) traps_.push_back(text);
  if (simple.trouble.empty() && !error_) {
    // When it runs the shell may be anywhere, and know anything else.
    line(text, State());
    const Flow flow = line(text, state);
    const bool only_exit =
        simple.words.size() == at + 2 && (simple.words[at + 1].is("EXIT") || simple.words[at + 1].is("0"));
    if (!only_exit && flow.after() && !(*flow.after() == state))
      simple.trouble = "a trap that changes what the shell knows";
  }
  emit(std::move(simple), state);
  return Flow::any(std::move(state));
}

// `exec`: nothing follows it, but where it only opens files.
Flow Walker::replace(Simple&& simple, State&& state) {
  const std::size_t end = options_end(simple.words, "a");
  const bool plain =
      std::all_of(simple.words.begin() + 1, simple.words.begin() + static_cast<std::ptrdiff_t>(end),
                  [](const Argument& word) { return word.is("-c") || word.is("-l") || word.is("--"); });
  const bool replaces = plain && !simple.may_not_open && end < simple.words.size();
  Flow flow = wrapped(std::move(simple), std::move(state), "a");
  return replaces ? Flow{} : flow;
}

Flow Walker::without_functions(Simple&& simple, State&& state) {
  const std::vector<Argument>& words = simple.words;
  const bool looks_up = words.front().is("command") && words.size() > 1 && words[1].known() &&
                        words[1].text.starts_with('-') &&
                        words[1].text.find_first_of("vV") != std::string::npos;
  if (looks_up) return done(std::move(simple), std::move(state));
  return wrapped(std::move(simple), std::move(state), "");
}

// Runs what stands behind the options; itself it is told for rules that name it.
Flow Walker::wrapped(Simple&& simple, State&& state, std::string_view letters) {
  Simple outer = simple;
  outer.opened.clear();
  drop_front(simple.words, options_end(simple.words, letters));
  simple.builtin = false;
  if (outer.words.size() > 1 || !outer.assignments.empty()) emit(std::move(outer), state);
  if (!simple.words.empty()) return run(std::move(simple), std::move(state), false);
  if (!simple.opened.empty() || !simple.trouble.empty()) emit(std::move(simple), state);
  return Flow::any(std::move(state));
}

}  // namespace policy::shell
