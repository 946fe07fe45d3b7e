#include "proxy/commands/report.hpp"

#include <cstdio>

#include "proxy/base/text.hpp"

namespace proxy::commands {
namespace {

constexpr std::size_t sentence_bytes_max = 4096;

}  // namespace

void complain(std::string_view sentence) {
  std::fprintf(stderr, "callgate: %s\n", base::printable(sentence, sentence_bytes_max).c_str());
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
