#pragma once
// Time as values. Only the code that acts asks the clock; what decides takes a time.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace base {

using WallTime = std::chrono::sys_time<std::chrono::nanoseconds>;
using MonotonicTime = std::chrono::nanoseconds;  // CLOCK_BOOTTIME since boot

WallTime wall_now();
MonotonicTime monotonic_now();
// The kernel's boot id, 32 lower-case hex digits.
const std::string& boot_id();

// `2026-11-29T17:44:21.123Z`
std::string utc_text(WallTime time);

// As utc_text gives it, with or without the fraction (1 to 9 digits), or the day alone: `2026-11-29`. From
// 1970 to 2200; nothing else.
std::optional<WallTime> time_from_text(std::string_view text);

// `90s`, `10m`, `2h`, `30d`, `250ms`: a whole number and a unit; nothing else.
std::optional<std::chrono::milliseconds> duration_from_text(std::string_view text);

}  // namespace base
