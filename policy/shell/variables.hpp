#pragma once
// Variables that mean something to bash itself. Bash Reference Manual 5.2, «Bash Variables».

#include <string_view>

namespace policy::shell {

// What such a one is given is evaluated as arithmetic: `a[$(…)]` runs.
bool is_counter(std::string_view name);
// A list that the shell makes itself.
bool is_list(std::string_view name);

}  // namespace policy::shell
