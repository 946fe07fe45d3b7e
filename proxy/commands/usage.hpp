#pragma once
// What a command line that was not understood is told: which word is wrong, what was probably meant, and
// where the right words stand. One sentence, printable.

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace proxy::commands {

// `app` has just refused a command line with `error`.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace proxy::commands
