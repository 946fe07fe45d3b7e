// Builtins that set variables, parameters and options of the shell.

#include <algorithm>
#include <array>
#include <utility>

#include "policy/shell/builtin_words.hpp"
#include "policy/shell/variables.hpp"
#include "policy/shell/walker.hpp"

namespace policy::shell {

namespace {

constexpr std::array<std::string_view, 8> harmless_switches{
    "nullglob", "failglob", "globstar", "inherit_errexit", "-r", "-q", "-s", "-u"};

// Options by name that change nothing of how a line is read or what it runs.
constexpr std::array<std::string_view, 12> harmless_settings{"errexit", "nounset",   "pipefail", "xtrace",
                                                             "verbose", "noclobber", "errtrace", "monitor",
                                                             "notify",  "functrace", "vi",       "emacs"};

// `[` and `test`: `-v` evaluates what it names.
std::string trouble_with_test(const std::vector<Argument>& words) {
  constexpr const char* why = "a test of a name that may be evaluated";
  if (any_spread(words)) return why;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const bool names = !words[i].known() || words[i].is("-v") || words[i].is("-R");
    const Argument& name = words[i + 1];
    if (names && (!name.known() || name.text.find('[') != std::string::npos)) return why;
  }
  return {};
}

constexpr const char* reads_otherwise = "a change of how the shell reads what follows";

}  // namespace

std::size_t options_end(const std::vector<Argument>& words, std::string_view letters) {
  std::size_t at = 1;
  while (at < words.size() && words[at].known() && words[at].text.size() > 1 &&
         words[at].text.front() == '-') {
    const std::string& word = words[at++].text;
    if (word == "--") break;
    // The first that takes a value takes what is left of the word.
    if (word.find_first_of(letters, 1) == word.size() - 1) ++at;
  }
  return std::min(at, words.size());
}

bool is_harmless_setting(std::string_view name) {
  return std::find(harmless_settings.begin(), harmless_settings.end(), name) != harmless_settings.end();
}

bool any_spread(const std::vector<Argument>& words) {
  return std::any_of(words.begin(), words.end(), [](const Argument& word) { return word.spread; });
}

void Walker::forget(State& state, const Argument& name, std::string& trouble) {
  if (name.known() && is_variable_name(name.text)) {
    set_variable(state, name.text, unknown_value());
  } else {
    trouble = "a variable's name that may be evaluated";
  }
}

struct Walker::Declaring {
  std::string builtin;
  bool exports = false;   // the builtin does
  bool exported = false;  // an option says so
  bool constant = false;
  bool list = false;
  bool function = false;
  Simple& simple;
};

void Walker::declare_one(Declaring& how, std::string name, std::optional<Argument> value, State& state) {
  const auto before = state.variables->find(name);
  Argument set = unknown_value();
  if (value) set = *value;
  if (!value && how.exports && before != state.variables->end()) set = before->second;
  if (!value && is_counter(name)) set.number = true;  // nothing is evaluated
  if (how.list) lists_.insert(name);
  if (how.builtin == "local" && calls_ == 0) set = unknown_value();  // it fails
  if (calls_ > 0 && !how.exports) locals_.push_back(name);
  if (how.exports || how.exported) how.simple.assignments.emplace_back(name, set);
  if (value || !how.exports) set_variable(state, name, std::move(set));
  if (how.constant) (how.function ? fixed_functions_ : constants_).insert(name);
}

// Whether a list would read the value as code: `($(…))`.
bool may_begin_list(const Argument& value) {
  const std::string& text = value.known() ? value.text : value.start;
  return text.empty() ? !value.known() && !value.number : text.front() == '(';
}

Flow Walker::declare(Simple&& simple, State&& state) {
  Declaring how{simple.words.front().text,
                simple.words.front().is("export"),
                false,
                simple.words.front().is("readonly"),
                false,
                false,
                simple};
  constexpr const char* values_are_code = "the values of a list, which are read as code";
  for (std::size_t i = 1; i < simple.words.size(); ++i) {
    const Argument& word = simple.words[i];
    const std::string& text = word.known() ? word.text : word.start;
    if (word.known() && text.size() > 1 && (text.front() == '-' || text.front() == '+')) {
      if (text.find_first_of("inluc") != std::string::npos && !how.exports)
        simple.trouble = "a variable whose value is evaluated";
      if (text.find('x') != std::string::npos) how.exported = true;
      if (text.find('r') != std::string::npos) how.constant = true;
      if (text.find_first_of("aA") != std::string::npos) how.list = true;
      if (text.find('f') != std::string::npos) how.function = true;
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
    std::optional<Argument> value;
    if (equals != std::string::npos) {
      if (word.known() ? text.find('(', equals) == equals + 1
                       : how.list || lists_.contains(name) || is_list(name))
        simple.trouble = values_are_code;
      const bool plain = word.known() && !appends;
      value = plain ? Argument{Argument::Sort::known, text.substr(equals + 1)} : unknown_value();
    }
    declare_one(how, std::move(name), std::move(value), state);
  }
  for (Declared& each : std::exchange(simple.declared, {})) {
    const bool list = how.list || lists_.contains(each.name) || is_list(each.name);
    if (list && !each.list && may_begin_list(each.value)) simple.trouble = values_are_code;
    declare_one(how, each.name, std::move(each.value), state);
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
      if (names == 0 || i + 1 >= words.size()) continue;
      ++i;
      if (!words[i].known() || !is_harmless_setting(words[i].text)) simple.trouble = reads_otherwise;
      continue;
    }
    if (option || !words[i].known()) {
      simple.trouble = reads_otherwise;
      state.parameters = {};
      break;
    }
    const std::size_t from = words[i].is("--") || words[i].is("-") ? i + 1 : i;
    state.parameters = parameters_of({words.begin() + static_cast<std::ptrdiff_t>(from), words.end()});
    break;
  }
  return done(std::move(simple), std::move(state));
}

// A name that is no variable's is a function's.
Flow Walker::unset(Simple&& simple, State&& state) {
  const std::vector<Argument>& words = simple.words;
  const bool variables = words.size() > 1 && words[1].is("-v");
  for (std::size_t i = options_end(words, ""); i < words.size(); ++i) {
    if (!variables && words[i].known()) state.functions.change().insert_or_assign(words[i].text, Function());
    if (!words[i].known() || !is_variable_name(words[i].text)) {
      forget(state, words[i], simple.trouble);
      continue;
    }
    tell_set(words[i].text, Argument());
    keep_variable(state, words[i].text, unknown_value());
  }
  return done(std::move(simple), std::move(state));
}

Flow Walker::shift(Simple&& simple, State&& state) {
  std::optional<std::vector<Argument>>& parameters = state.parameters.change();
  if (simple.words.size() == 1 && parameters && !parameters->empty()) {
    parameters->erase(parameters->begin());
  } else {
    parameters.reset();
  }
  return done(std::move(simple), std::move(state));
}

// `mapfile -C LINE`: evaluated for what is read.
void Walker::call_back(Simple& simple, std::size_t at) {
  simple.trouble = "a line that is evaluated for what is read";
  const std::string& option = simple.words[at].text;
  const std::string glued = option.substr(option.find('C') + 1);
  const bool next = glued.empty() && at + 1 < simple.words.size() && simple.words[at + 1].known();
  if (!error_) line(next ? simple.words[at + 1].text : glued, State());
}

// `read`, `getopts`, `mapfile`, `wait -p`: any word that may be a variable's name is one.
Flow Walker::read(Simple&& simple, State&& state) {
  bool list = simple.words.front().is("mapfile") || simple.words.front().is("readarray");
  for (std::size_t i = 1; i < simple.words.size(); ++i) {
    const Argument& word = simple.words[i];
    const bool option = word.known() && word.text.starts_with('-');
    if ((!word.known() && !word.number) || word.text.find('[') != std::string::npos)
      simple.trouble = "a variable's name that may be evaluated";
    if (option && word.text.find('C') != std::string::npos) call_back(simple, i);
    list = list || (option && word.text.find('a') != std::string::npos);
    const auto set = [&](const std::string& name) {
      if (list) lists_.insert(name);
      set_variable(state, name, unknown_value());
    };
    if (word.known() && is_variable_name(word.text)) set(word.text);
    // `-ax`: the name may be glued to its option.
    for (std::size_t at = 2; option && at < word.text.size(); ++at)
      if (is_variable_name(std::string_view(word.text).substr(at))) set(word.text.substr(at));
  }
  for (const char* name : {"REPLY", "MAPFILE", "OPTARG", "OPTIND"})
    keep_variable(state, name, unknown_value());
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
  if (!harmless) simple.trouble = reads_otherwise;
  const auto fails = [](const Argument& word) { return word.is("failglob"); };
  if (std::any_of(simple.words.begin() + 1, simple.words.end(), fails)) unmatched_fails_ = true;
  return done(std::move(simple), std::move(state));
}

}  // namespace policy::shell
