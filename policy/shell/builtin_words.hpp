#pragma once
// How builtins read their words. Inner to the walker.

#include <string_view>
#include <vector>

#include "policy/shell/argument.hpp"

namespace policy::shell {

// Where the operands begin; `letters`: the options that take the next word.
std::size_t options_end(const std::vector<Argument>& words, std::string_view letters);
bool any_spread(const std::vector<Argument>& words);

}  // namespace policy::shell
