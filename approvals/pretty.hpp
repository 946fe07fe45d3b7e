#pragma once
// JSON laid out for reading without changing what it means: one member a line, indented; numbers as they are
// spelled; strings decoded and written with as few escapes as can be, so that `\u0072\u006d` is read as `rm`;
// a string of several lines as a block under its key, each line after `╎ `, and, where it is so, «no line
// feed at the end». Not for a terminal as it is: render it.

#include <optional>
#include <string>
#include <string_view>

namespace approvals {

// nullopt: not JSON, deeper than 128, or more than about four times as long when laid out.
std::optional<std::string> pretty(std::string_view json);

}  // namespace approvals
