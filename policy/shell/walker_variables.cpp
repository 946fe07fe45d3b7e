// Builtins that set variables, parameters and options of the shell.

#include <algorithm>
#include <array>
#include <utility>

#include "policy/shell/builtin_words.hpp"
#include "policy/shell/walker.hpp"

namespace policy::shell {

namespace {

constexpr std::array<std::string_view, 8> harmless_switches{
    "nullglob", "failglob", "globstar", "inherit_errexit", "-r", "-q", "-s", "-u"};

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

bool any_spread(const std::vector<Argument>& words) {
  return std::any_of(words.begin(), words.end(), [](const Argument& word) { return word.spread; });
}

Flow Walker::declare(Simple&& simple, State&& state) {
  const bool exports = simple.words.front().is("export");
  bool exported = exports;
  bool constant = false;
  for (std::size_t i = 1; i < simple.words.size(); ++i) {
    const Argument& word = simple.words[i];
    const std::string& text = word.known() ? word.text : word.start;
    if (word.known() && text.size() > 1 && (text.front() == '-' || text.front() == '+')) {
      if (text.find_first_of("inluc") != std::string::npos && !exports)
        simple.trouble = "a variable whose value is evaluated";
      if (text.find('x') != std::string::npos) exported = true;
      if (text.find('r') != std::string::npos) constant = true;
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
    // A later assignment to it fails.
    if (simple.words.front().is("readonly") || constant) set = unknown_value();
    if (calls_ > 0 && !exports) locals_.push_back(name);
    if (exported) simple.assignments.emplace_back(name, set);
    if (equals != std::string::npos || !exports)
      state.variables.insert_or_assign(std::move(name), std::move(set));
  }
  return done(std::move(simple), std::move(state));
}

Flow Walker::set(Simple&& simple, State&& state) {
  const std::vector<Argument>& words = simple.words;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool option = words[i].known() && words[i].text.size() > 1 &&
                        (words[i].text.front() == '-' || words[i].text.front() == '+') &&
                        words[i].text != "--";
    const std::size_t names = static_cast<std::size_t>(
        option ? std::count(words[i].text.begin() + 1, words[i].text.end(), 'o') : 0);
    const bool in_place = names == 0 || (names == 1 && words[i].text.ends_with('o'));
    if (option && in_place && words[i].text.find_first_not_of("euxovCbEmh", 1) == std::string::npos) {
      if (words[i].text.ends_with('o') && i + 1 < words.size()) ++i;
      if (words[i].is("allexport") || words[i].is("keyword") || words[i].is("posix") ||
          words[i].is("physical"))
        simple.trouble = "a change of how the shell reads what follows";
      continue;
    }
    if (option || !words[i].known()) {
      simple.trouble = "a change of how the shell reads what follows";
      state.parameters.reset();
      break;
    }
    const std::size_t from = words[i].is("--") || words[i].is("-") ? i + 1 : i;
    state.parameters.emplace(words.begin() + static_cast<std::ptrdiff_t>(from), words.end());
    if (any_spread(*state.parameters)) state.parameters.reset();
    break;
  }
  return done(std::move(simple), std::move(state));
}

Flow Walker::unset(Simple&& simple, State&& state) {
  const std::vector<Argument>& words = simple.words;
  const bool functions = words.size() > 1 && words[1].is("-f");
  for (std::size_t i = options_end(words, ""); i < words.size(); ++i) {
    if (functions && words[i].known()) state.functions.insert_or_assign(words[i].text, Function());
    forget(state, words[i], simple.trouble);
    if (words[i].known()) simple.assignments.emplace_back(words[i].text, Argument());
  }
  return done(std::move(simple), std::move(state));
}

Flow Walker::shift(Simple&& simple, State&& state) {
  const bool one = simple.words.size() == 1 && state.parameters && !state.parameters->empty();
  if (one) {
    state.parameters->erase(state.parameters->begin());
  } else {
    state.parameters.reset();
  }
  return done(std::move(simple), std::move(state));
}

// `read`, `getopts`, `mapfile`, `wait -p`: any word that may be a variable's name is one.
Flow Walker::read(Simple&& simple, State&& state) {
  for (std::size_t i = 1; i < simple.words.size(); ++i) {
    const Argument& word = simple.words[i];
    const bool option = word.known() && word.text.starts_with('-');
    if (!word.known() || (option && word.text.find('C') != std::string::npos) ||
        word.text.find('[') != std::string::npos)
      simple.trouble = "a variable's name that may be evaluated";
    if (word.known() && is_variable_name(word.text)) {
      forget(state, word, simple.trouble);
      set_.insert(word.text);
    }
    // `-ax`: the name may be glued to its option.
    for (std::size_t at = 2; option && at < word.text.size(); ++at)
      if (is_variable_name(std::string_view(word.text).substr(at)) &&
          set_.insert(word.text.substr(at)).second)
        state.variables.insert_or_assign(word.text.substr(at), unknown_value());
  }
  for (const char* name : {"REPLY", "MAPFILE", "OPTARG", "OPTIND"})
    state.variables.insert_or_assign(name, unknown_value());
  // It splits what is read, and nothing else.
  std::erase_if(simple.assignments, [](const auto& assignment) { return assignment.first == "IFS"; });
  return done(std::move(simple), std::move(state));
}

Flow Walker::print(Simple&& simple, State&& state) {
  const std::vector<Argument>& words = simple.words;
  simple.builtin = false;
  if (words.size() > 1 && !words[1].known() && words[1].start.empty())
    simple.trouble = "a format that may be an option";
  if (words.size() > 1 && words[1].known() && words[1].text.starts_with("-v")) {
    Argument named = words[1].is("-v") && words.size() > 2 ? words[2] : Argument();
    if (named.known() && named.text.empty()) named.text = words[1].text.substr(2);
    forget(state, named, simple.trouble);
    set_.insert(named.text);
  }
  return done(std::move(simple), std::move(state));
}

Flow Walker::test(Simple&& simple, State&& state) {
  if (simple.trouble.empty()) simple.trouble = trouble_with_test(simple.words);
  return done(std::move(simple), std::move(state));
}

Flow Walker::calculate(Simple&& simple, State&& state) {
  simple.trouble = "arithmetic in words";
  return done(std::move(simple), std::move(state));
}

Flow Walker::switch_options(Simple&& simple, State&& state) {
  const bool harmless = std::all_of(simple.words.begin() + 1, simple.words.end(), [](const Argument& word) {
    return word.known() && std::find(harmless_switches.begin(), harmless_switches.end(), word.text) !=
                               harmless_switches.end();
  });
  if (!harmless) simple.trouble = "a change of how the shell reads what follows";
  return done(std::move(simple), std::move(state));
}

}  // namespace policy::shell
