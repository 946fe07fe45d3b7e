// callgate ledger list --records: the newest records as they are stored, oldest first. A terminal gets them
// escaped: bodies hold names that agents and servers gave.

#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "ledger/reader.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/ledger_commands.hpp"
#include "proxy/commands/report.hpp"

namespace proxy::commands {

int list_records(const ledger::Place& place, const LedgerList& options) {
  const auto reader = ledger::Reader::open(place);
  if (!reader) return fail(reader.error(), exit_failed);
  std::vector<std::string> bodies;  // newest first
  TooOld too_old(options);
  const auto scanned = (*reader)->scan_back(
      [&](const ledger::StoredRecord& stored) {
        if (bodies.size() >= options.limit || too_old(stored.record)) return false;
        if (wanted(options, stored.record)) bodies.push_back(stored.body);
        return true;
      },
      options.mission);
  if (!scanned) return fail(scanned.error(), exit_failed);
  const bool escape = ::isatty(STDOUT_FILENO) != 0;
  const char* before = options.json ? "[\n" : "";
  for (auto body = bodies.rbegin(); body != bodies.rend(); ++body) {
    const std::string line = escape ? base::printable(*body, body->size() * 4) : *body;
    std::printf("%s%s%s", before, line.c_str(), options.json ? "" : "\n");
    if (options.json) before = ",\n";
  }
  if (options.json) std::fputs(bodies.empty() ? "[]\n" : "\n]\n", stdout);
  return 0;
}

}  // namespace proxy::commands
