#include "proxy/commands/report.hpp"

#include <cstdio>

#include "proxy/base/text.hpp"

namespace proxy::commands {

void complain(std::string_view sentence) {
  std::fprintf(stderr, "callgate: %s\n", base::printable(sentence, 4096).c_str());
}

int fail(const base::Error& error, int exit) {
  complain(error.text());
  return exit;
}

int fail(const base::Error& error) {
  const bool given = error.code() == base::Code::invalid || error.code() == base::Code::not_found;
  return fail(error, given ? exit_usage : exit_failed);
}

}  // namespace proxy::commands
