#include "policy/shell/state.hpp"

#include <algorithm>

namespace policy::shell {

Argument unknown_value() {
  Argument argument;
  argument.sort = Argument::Sort::unknown;
  return argument;
}

bool is_number(const Argument& value) {
  return value.known() ? value.text.find_first_not_of("-0123456789") == std::string::npos : value.number;
}

namespace {

Argument either_value(const Argument& a, const Argument& b) {
  if (a == b) return a;
  Argument value = unknown_value();
  value.number = is_number(a) && is_number(b);
  return value;
}

}  // namespace

State either(const State& a, const State& b) {
  if (a == b) return a;
  State state = a;
  if (a.directories.empty() || b.directories.empty()) state.directories.clear();
  for (const std::string& directory : b.directories)
    if (!state.directories.empty() &&
        std::find(state.directories.begin(), state.directories.end(), directory) == state.directories.end())
      state.directories.push_back(directory);
  if (state.directories.size() > directories_max) state.directories.clear();
  for (auto& [name, value] : state.variables) {
    const auto other = b.variables.find(name);
    value = other == b.variables.end() ? unknown_value() : either_value(value, other->second);
  }
  for (const auto& [name, value] : b.variables)
    if (!a.variables.contains(name)) state.variables.emplace(name, unknown_value());
  // A name that may be one function or another, or a program: none of them is known to run.
  for (const auto& [name, function] : b.functions) {
    const auto [place, fresh] = state.functions.try_emplace(name);
    if (!fresh && !(place->second == function)) place->second = {};
  }
  for (auto& [name, function] : state.functions)
    if (!b.functions.contains(name)) function = {};
  if (a.parameters != b.parameters) state.parameters.reset();
  return state;
}

std::optional<State> either(const std::optional<State>& a, const std::optional<State>& b) {
  if (!a) return b;
  if (!b) return a;
  return either(*a, *b);
}

}  // namespace policy::shell
