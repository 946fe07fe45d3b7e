#pragma once
// Whether a folder lies on another machine's disk, or behind a program that keeps files elsewhere: locks and
// shared memory do not hold there between machines, and SQLite's write-ahead log needs both.

#include <optional>
#include <string>
#include <string_view>

namespace ledger {

// The kind of file system at this real path, where it is one of those, by the text of /proc/self/mountinfo
// (proc(5)).
std::optional<std::string> network_mount(std::string_view mountinfo, std::string_view path);

}  // namespace ledger
