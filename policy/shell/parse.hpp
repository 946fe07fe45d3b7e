#pragma once
// Reads a line as `sh -c` and `bash -c` do, into a tree. Neither aliases nor history, no extended patterns
// but in
// `[[ ]]`. Grammar: POSIX.1-2017, «Shell Command Language», 2.10; Bash Reference Manual 5.2, «Basic Shell
// Features».

#include <string_view>

#include "policy/shell/tree.hpp"
#include "proxy/base/error.hpp"

namespace policy::shell {

inline constexpr std::size_t line_bytes_max = 64u << 10;
inline constexpr std::size_t commands_max = 1000;
inline constexpr std::size_t depth_max = 64;
inline constexpr std::size_t parts_max = 20'000;

// Error: Code::invalid where a shell would find a mistake, or where this reader does not know what a shell
// would do; Code::limit past one of the limits. The place is the offset, a decimal number.
base::Result<List> parse(std::string_view line);

}  // namespace policy::shell
