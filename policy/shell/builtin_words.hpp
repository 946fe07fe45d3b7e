#pragma once
// How builtins read their words.

#include <string_view>
#include <vector>

#include "policy/shell/argument.hpp"

namespace policy::shell {

// Where the operands begin; `letters`: the options that take the next word.
std::size_t options_end(const std::vector<Argument>& words, std::string_view letters);
// Whether `set -o NAME` leaves how lines are read, and what they run, as it is.
bool is_harmless_setting(std::string_view name);
bool any_spread(const std::vector<Argument>& words);

}  // namespace policy::shell
