#pragma once
// How much of a path people are shown.

#include <cstddef>

namespace base {

// All of what the system takes as one (PATH_MAX).
inline constexpr std::size_t path_shown_bytes_max = 4096;

}  // namespace base
