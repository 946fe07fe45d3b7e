// What the shell does itself: it changes what the shell knows, and has no effect on anything else. What is
// not listed is told like a program.

#include <algorithm>
#include <array>
#include <utility>

#include "policy/path.hpp"
#include "policy/shell/walker.hpp"

namespace policy::shell {

namespace {

template <std::size_t N>
bool one_of(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Nothing follows from them but their own end.
constexpr std::array<std::string_view, 13> idle{":",    "true",   "type", "umask", "ulimit",  "times", "jobs",
                                                "help", "disown", "bg",   "fg",    "suspend", "caller"};
constexpr std::array<std::string_view, 5> declaring{"export", "declare", "typeset", "local", "readonly"};
constexpr std::array<std::string_view, 4> harmless_switches{"nullglob", "failglob", "globstar",
                                                            "inherit_errexit"};

bool all_known(const std::vector<Argument>& words) {
  return std::all_of(words.begin(), words.end(), [](const Argument& word) { return word.known(); });
}

bool any_spread(const std::vector<Argument>& words) {
  return std::any_of(words.begin(), words.end(), [](const Argument& word) { return word.spread; });
}

// How many words behind the first are options; `letters`: those that take the next word.
std::size_t options_end(const std::vector<Argument>& words, std::string_view letters) {
  std::size_t at = 1;
  while (at < words.size() && words[at].known() && words[at].text.size() > 1 &&
         words[at].text.front() == '-') {
    const std::string& word = words[at++].text;
    if (word == "--") break;
    if (letters.find(word.back()) != std::string_view::npos) ++at;
  }
  return std::min(at, words.size());
}

void drop_front(std::vector<Argument>& words, std::size_t count) {
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
}

// `[` and `test`: `-v` evaluates what it names.
std::string trouble_with_test(const std::vector<Argument>& words) {
  constexpr const char* why = "a test of a name that may be evaluated";
  if (any_spread(words)) return why;
  const std::size_t operands = words.size() - 1 - (words.front().is("[") ? 1 : 0);
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const bool names =
        words[i].is("-v") || words[i].is("-R") || (!words[i].known() && operands == 2 && i == 1);
    if (names && !(words[i + 1].known() && is_variable_name(words[i + 1].text))) return why;
  }
  return {};
}

void forget(State& state, const Argument& name, std::string& trouble) {
  if (name.known() && is_variable_name(name.text)) {
    state.variables.insert_or_assign(name.text, unknown_value());
  } else {
    trouble = "a variable's name that may be evaluated";
  }
}

}  // namespace

std::optional<Flow> Walker::builtin(Simple& simple, State& state) {
  std::vector<Argument>& words = simple.words;
  const std::string name = words.front().text;
  simple.builtin = true;
  if (one_of(name, idle)) {
    const bool succeeds = (name == "true" || name == ":") && simple.opened.empty();
    emit(std::move(simple), state);
    return succeeds ? Flow{state, std::nullopt} : Flow::any(state);
  }
  if (name == "false") {
    emit(std::move(simple), state);
    return Flow{std::nullopt, state};
  }
  if (name == "cd" || name == "pushd" || name == "popd") {
    Flow flow = change_directory(simple, state);
    emit(std::move(simple), state);
    return flow;
  }
  if (name == "exit" || name == "return" || name == "break" || name == "continue")
    return leave(simple, state);
  if (one_of(name, declaring)) {
    declare(simple, state);
  } else if (name == "set") {
    set(simple, state);
  } else if (name == "unset") {
    const bool functions = words.size() > 1 && words[1].is("-f");
    for (std::size_t i = options_end(words, ""); i < words.size(); ++i) {
      if (functions && words[i].known()) state.functions.insert_or_assign(words[i].text, Function());
      forget(state, words[i], simple.trouble);
      if (words[i].known()) simple.assignments.emplace_back(words[i].text, Argument());
    }
  } else if (name == "shift") {
    const bool one = words.size() == 1 && state.parameters && !state.parameters->empty();
    if (one) {
      state.parameters->erase(state.parameters->begin());
    } else {
      state.parameters.reset();
    }
  } else if (name == "read" || name == "getopts" || name == "mapfile" || name == "readarray" ||
             name == "wait") {
    const std::size_t names = name == "getopts"
                                  ? std::min<std::size_t>(2, words.size())
                                  : options_end(words, name == "read" ? "dinNptua" : "dnOsucCp");
    for (std::size_t i = 1; i < words.size(); ++i)
      if (!words[i].known() || words[i].text.starts_with("-C") ||
          words[i].text.find('[') != std::string::npos)
        simple.trouble = "a variable's name that may be evaluated";
    const bool options = name == "read" || name == "wait";
    for (std::size_t i = options ? 1 : names; i < words.size(); ++i)
      if (words[i].known() && is_variable_name(words[i].text)) forget(state, words[i], simple.trouble);
    if (name == "wait" && words.size() > 1 && words[1].is("-p")) forget(state, words.back(), simple.trouble);
  } else if (name == "printf") {
    simple.builtin = false;
    if (words.size() > 1 && !words[1].known()) simple.trouble = "a format that may be an option";
    if (words.size() > 1 && words[1].known() && words[1].text.starts_with("-v")) {
      Argument named = words[1].is("-v") && words.size() > 2 ? words[2] : Argument();
      if (named.known() && named.text.empty()) named.text = words[1].text.substr(2);
      forget(state, named, simple.trouble);
    }
  } else if (name == "test" || name == "[") {
    if (simple.trouble.empty()) simple.trouble = trouble_with_test(words);
  } else if (name == "let") {
    simple.trouble = "arithmetic in words";
  } else if (name == "hash" || name == "shopt") {
    for (std::size_t i = 1; i < words.size(); ++i) {
      const bool harmless = words[i].is("-r") || words[i].is("-q") || words[i].is("-s") ||
                            words[i].is("-u") ||
                            (words[i].known() && one_of(words[i].text, harmless_switches));
      if (!harmless) simple.trouble = "a change of how the shell reads what follows";
    }
  } else if (name == "trap") {
    return trap(simple, state);
  } else if (name == "eval") {
    return evaluate(simple, state);
  } else if (name == "exec" || name == "command" || name == "builtin") {
    const bool looks_up = name == "command" && words.size() > 1 && words[1].known() &&
                          words[1].text.starts_with('-') &&
                          words[1].text.find_first_of("vV") != std::string::npos;
    if (looks_up) {
      emit(std::move(simple), state);
      return Flow::any(state);
    }
    Simple outer = simple;  // for rules that name it
    outer.opened.clear();
    const std::size_t end = options_end(words, name == "exec" ? "a" : "");
    drop_front(words, end);
    simple.builtin = false;
    if (outer.words.size() > 1) emit(std::move(outer), state);
    if (words.empty()) {
      if (!simple.opened.empty() || !simple.trouble.empty()) emit(std::move(simple), state);
      return Flow::any(state);
    }
    Flow flow = run(std::move(simple), state, false);
    return name == "exec" ? Flow{} : flow;
  } else {
    simple.builtin = false;
    return std::nullopt;
  }
  emit(std::move(simple), state);
  return Flow::any(state);
}

// Out of a shell, a function or a loop. Where it cannot do so it does nothing.
Flow Walker::leave(Simple& simple, const State& state) {
  const std::string name = simple.words.front().text;
  const bool plain = simple.words.size() == 1 ||
                     (simple.words.size() == 2 && (simple.words[1].known() || simple.words[1].number));
  const bool loop = name == "break" || name == "continue";
  const bool one = simple.words.size() == 1 || simple.words[1].is("1");
  if (loop && (!plain || !one || loops_ == 0))
    simple.trouble = "leaves a loop around the one that it stands in";
  const bool leaves =
      plain && simple.trouble.empty() && simple.opened.empty() && (name != "return" || calls_ > 0);
  emit(std::move(simple), state);
  if (name == "return") returned_ = either(returned_, std::optional(state));
  if (name == "break") broke_ = either(broke_, std::optional(state));
  if (name == "continue") continued_ = either(continued_, std::optional(state));
  return leaves ? Flow{} : Flow::any(state);
}

Flow Walker::change_directory(const Simple& simple, const State& state) {
  State changed = state;
  changed.directories.clear();
  changed.variables.erase("PWD");
  const std::vector<Argument>& words = simple.words;
  const std::size_t at = options_end(words, "");
  const bool physical =
      std::any_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at),
                  [](const Argument& word) { return word.text.find('P') != std::string::npos; });
  Argument target;
  if (at == words.size()) {
    const auto home = state.variables.find("HOME");
    target = home == state.variables.end() ? Argument{Argument::Sort::known, around_.home} : home->second;
  } else {
    target = words[at];
  }
  const bool clear = simple.assignments.empty() && simple.words.front().is("popd") == false &&
                     at + 1 >= words.size() && target.known() && !target.text.empty() && target.text != "-" &&
                     !target.text.starts_with('+') && !target.text.starts_with('-');
  if (clear) {
    const auto add = [&](const std::string& from) {
      changed.directories.push_back(
          physical ? (target.text.starts_with('/') ? target.text : from + '/' + target.text)
                   : fold_path(target.text, from));
    };
    if (target.text.starts_with('/')) {
      add("/");
    } else {
      for (const std::string& directory : state.directories) add(directory);
    }
  }
  return {changed, state};
}

void Walker::declare(Simple& simple, State& state) {
  const bool exports = simple.words.front().is("export");
  bool exported = exports;
  for (std::size_t i = 1; i < simple.words.size(); ++i) {
    const Argument& word = simple.words[i];
    const std::string& text = word.known() ? word.text : word.start;
    if (word.known() && text.size() > 1 && (text.front() == '-' || text.front() == '+')) {
      if (text.find_first_of("in") != std::string::npos && !exports)
        simple.trouble = "a variable whose value is evaluated";
      if (text.find('x') != std::string::npos) exported = true;
      continue;
    }
    const std::size_t equals = text.find('=');
    std::string name = text.substr(0, equals);
    const bool appends = name.ends_with('+');
    if (appends) name.pop_back();
    if (!is_variable_name(name) || (equals == std::string::npos && !word.known())) {
      simple.trouble = "a variable's name that is not known";
      continue;
    }
    Argument set = unknown_value();
    if (equals != std::string::npos && word.known() && !appends)
      set = {Argument::Sort::known, text.substr(equals + 1)};
    if (equals == std::string::npos && exports) {
      const auto before = state.variables.find(name);
      if (before != state.variables.end()) set = before->second;
    }
    if (exported) simple.assignments.emplace_back(name, set);
    if (equals != std::string::npos || !exports)
      state.variables.insert_or_assign(std::move(name), std::move(set));
  }
}

void Walker::set(Simple& simple, State& state) {
  const std::vector<Argument>& words = simple.words;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool option = words[i].known() && words[i].text.size() > 1 &&
                        (words[i].text.front() == '-' || words[i].text.front() == '+') &&
                        words[i].text != "--";
    if (option && words[i].text.find_first_not_of("euxovCbEmhB", 1) == std::string::npos) {
      if (words[i].text.ends_with('o') && i + 1 < words.size()) ++i;
      if (words[i].is("allexport") || words[i].is("keyword") || words[i].is("posix") ||
          words[i].is("physical"))
        simple.trouble = "a change of how the shell reads what follows";
      continue;
    }
    if (option || !words[i].known()) {
      simple.trouble = "a change of how the shell reads what follows";
      state.parameters.reset();
      return;
    }
    const std::size_t from = words[i].is("--") ? i + 1 : i;
    state.parameters.emplace(words.begin() + static_cast<std::ptrdiff_t>(from), words.end());
    if (any_spread(*state.parameters)) state.parameters.reset();
    return;
  }
}

// Literal text is read in place.
Flow Walker::evaluate(const Simple& simple, State state) {
  Simple outer = simple;
  if (!all_known(simple.words)) {
    outer.builtin = false;
    outer.trouble = "text that is evaluated and not known";
    emit(std::move(outer), state);
    State unknown;
    return Flow::any(std::move(unknown));
  }
  std::string text;
  for (std::size_t i = 1; i < simple.words.size(); ++i)
    text.append(i > 1 ? " " : "").append(simple.words[i].text);
  emit(std::move(outer), state);
  if (error_ || ++followed_ > followed_max) return Flow::any(std::move(state));
  const Within input(input_, simple.input);
  return line(text, state);
}

Flow Walker::trap(Simple& simple, const State& state) {
  const std::size_t at = options_end(simple.words, "");
  const bool sets = simple.words.size() > at + 1 && !simple.words[at].is("-");
  if (!sets || (simple.words[at].known() && simple.words[at].text.empty())) {
    emit(std::move(simple), state);
    return Flow::any(state);
  }
  if (!simple.words[at].known()) simple.trouble = "text that is evaluated and not known";
  const bool at_end =
      simple.words.size() == at + 2 && (simple.words[at + 1].is("EXIT") || simple.words[at + 1].is("0"));
  const std::string text = simple.words[at].text;
  if (simple.trouble.empty() && !error_) {
    State unknown;
    unknown.functions = state.functions;
    const Flow flow = line(text, at_end ? unknown : state);
    if (!at_end && flow.after() && !(*flow.after() == state))
      simple.trouble = "a trap that changes what the shell knows";
    if (at_end) line(text, state);
  }
  emit(std::move(simple), state);
  return Flow::any(state);
}

}  // namespace policy::shell
