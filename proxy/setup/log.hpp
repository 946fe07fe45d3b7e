#pragma once
// Lines on our stderr, from any thread. They never block: where nobody reads, lines are lost and the session
// goes on.

#include <functional>
#include <string_view>

namespace proxy {

// Where the parts of a session say what an operator should know: log_line, but for tests.
using Log = std::function<void(std::string_view)>;

// `callgate: TEXT`, printable and bounded.
void log_line(std::string_view text);

// Whole lines as they are.
void write_error_lines(std::string_view lines);

}  // namespace proxy
