#pragma once
// How a command says on stderr that it failed, and the exit code that goes with it.

#include <string_view>

#include "proxy/base/error.hpp"

namespace proxy::commands {

inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;  // or configuration

// `callgate: SENTENCE`, printable.
void complain(std::string_view sentence);

// Complains; returns `exit`.
int fail(const base::Error& error, int exit);
// exit_usage for what the user gave (Code::invalid, not_found), exit_failed for all else.
int fail(const base::Error& error);

}  // namespace proxy::commands
