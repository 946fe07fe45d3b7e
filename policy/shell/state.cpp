#include "policy/shell/state.hpp"

#include <algorithm>

namespace policy::shell {

Argument unknown_value() {
  Argument argument;
  argument.sort = Argument::Sort::unknown;
  return argument;
}

bool is_number(const Argument& value) {
  if (!value.known()) return value.number;
  std::string_view digits = value.text;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  // `08` is an error.
  const bool octal = digits.size() > 1 && digits.front() == '0';
  return digits.find_first_not_of("0123456789") == std::string_view::npos && !octal &&
         (!digits.empty() || value.text.empty());
}

namespace {

Argument either_value(const Argument& a, const Argument& b) {
  if (a == b) return a;
  Argument value = unknown_value();
  value.number = is_number(a) && is_number(b);
  return value;
}

}  // namespace

std::optional<std::vector<Argument>> parameters_of(std::vector<Argument> words) {
  const bool spread =
      std::any_of(words.begin(), words.end(), [](const Argument& word) { return word.spread; });
  return spread ? std::nullopt : std::optional(std::move(words));
}

State either(const State& a, const State& b) {
  if (a == b) return a;
  State state = a;
  if (!(a.directories == b.directories)) {
    std::vector<std::string>& directories = state.directories.change();
    if (b.directories->empty()) directories.clear();
    for (const std::string& directory : *b.directories)
      if (!directories.empty() &&
          std::find(directories.begin(), directories.end(), directory) == directories.end())
        directories.push_back(directory);
    if (directories.size() > directories_max) directories.clear();
  }
  if (!(a.variables == b.variables)) {
    auto& variables = state.variables.change();
    for (auto& [name, value] : variables) {
      const auto other = b.variables->find(name);
      value = other == b.variables->end() ? unknown_value() : either_value(value, other->second);
    }
    for (const auto& [name, value] : *b.variables)
      if (!a.variables->contains(name)) variables.emplace(name, unknown_value());
  }
  // A name that may be one function or another, or a program: none of them is known to run.
  if (!(a.functions == b.functions)) {
    auto& functions = state.functions.change();
    for (const auto& [name, function] : *b.functions) {
      const auto [place, fresh] = functions.try_emplace(name);
      if (!fresh && !(place->second == function)) place->second = {};
    }
    for (auto& [name, function] : functions)
      if (!b.functions->contains(name)) function = {};
  }
  if (!(a.parameters == b.parameters)) state.parameters = {};
  return state;
}

std::optional<State> either(const std::optional<State>& a, const std::optional<State>& b) {
  if (!a) return b;
  if (!b) return a;
  return either(*a, *b);
}

}  // namespace policy::shell
