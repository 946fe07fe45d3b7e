#include "examples/workshop/options.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace workshop {

namespace {
constexpr const char* usage =
    "usage: workshop [--die-after N] [--garbage] [--ignore-eof] [--ignore-term] [--noise] [--spawn] [--log "
    "FILE]\n"
    "An MCP server over stdin and stdout: files, a shell command, a slow tool, a big result.\n";
}

std::optional<Options> read_options(int argc, char** argv) {
  Options options;
  for (int at = 1; at < argc; ++at) {
    const std::string_view word = argv[at];
    const bool more = at + 1 < argc;
    if (word == "--garbage")
      options.garbage = true;
    else if (word == "--ignore-eof")
      options.ignore_eof = true;
    else if (word == "--ignore-term")
      options.ignore_term = true;
    else if (word == "--noise")
      options.noise = true;
    else if (word == "--spawn")
      options.spawn = true;
    else if (word == "--die-after" && more)
      options.die_after = std::strtol(argv[++at], nullptr, 10);
    else if (word == "--log" && more)
      options.log = argv[++at];
    else {
      std::fputs(usage, stderr);
      return std::nullopt;
    }
  }
  return options;
}

}  // namespace workshop
