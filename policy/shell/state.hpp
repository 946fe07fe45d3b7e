#pragma once
// What a shell knows at one place of a line: directories it may be in, variables, functions, parameters.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/scene.hpp"
#include "policy/shell/argument.hpp"
#include "policy/shell/tree.hpp"
#include "proxy/base/shared.hpp"

namespace policy::shell {

// What the line is read in.
struct Surroundings {
  std::string directory;  // absolute
  std::string home;
  std::string user;
  const Links* links = nullptr;  // never null
};

struct Function {
  const Command* definition = nullptr;  // nullptr: the name may be a function or another, or none
  std::string_view line;                // in which it stands
  bool operator==(const Function&) const = default;
};

// Copied at each command, and seldom changed: its parts are shared.
struct State {
  base::Shared<std::vector<std::string>> directories;  // it is in one of these; empty: anywhere
  base::Shared<std::map<std::string, Argument, std::less<>>> variables;  // set by the line
  base::Shared<std::map<std::string, Function, std::less<>>> functions;  // of trees that outlive the state
  base::Shared<std::optional<std::vector<Argument>>> parameters;         // `$1`, …; nullopt: not known

  bool operator==(const State&) const = default;
};

// `$1`, … where these are given: nullopt where one of them may become any number of words.
std::optional<std::vector<Argument>> parameters_of(std::vector<Argument> words);

inline constexpr std::size_t directories_max = 4;

// What is known when either may hold.
State either(const State& a, const State& b);
// The same of where nothing is left to know when nothing was.
std::optional<State> either(const std::optional<State>& a, const std::optional<State>& b);

Argument unknown_value();
// Decimal digits, and perhaps a `-` before them; or nothing, which counts as zero.
bool is_number(const Argument& value);

}  // namespace policy::shell
