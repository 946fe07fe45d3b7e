#pragma once
// Arithmetic of a shell, as far as it must be known whether it is an error. Bash Reference Manual 5.2, «Shell
// Arithmetic».

#include <string_view>

namespace policy::shell {

// Whether the text, all expansions in it done and each of its variables a decimal number, has a value for
// sure. False also where this reader does not know.
bool surely_evaluates(std::string_view text);

}  // namespace policy::shell
