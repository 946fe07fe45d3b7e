// callgate ledger list --records: the newest records as they are stored, oldest first. A terminal gets them
// escaped: bodies hold names that agents and servers gave.

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "ledger/reader.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/ledger_commands.hpp"
#include "proxy/commands/report.hpp"

namespace proxy::commands {

int list_records(const ledger::Place& place, const LedgerList& options) {
  const auto reader = ledger::Reader::open(place);
  const auto head =
      reader ? (*reader)->head() : base::Result<std::optional<ledger::Reference>>(reader.error());
  if (!head) return fail(head.error(), exit_failed);
  const std::uint64_t end = *head ? (*head)->sequence + 1 : 0;
  const std::uint64_t begin = end > options.limit ? end - options.limit : 0;
  const bool escape = ::isatty(STDOUT_FILENO) != 0;
  bool first = true;
  const auto scanned = (*reader)->scan(begin, end - begin, [&](const ledger::StoredRecord& stored) {
    if (!wanted(options, stored.record)) return true;
    if (options.json) std::fputs(first ? "[\n" : ",\n", stdout);
    first = false;
    const std::string line = escape ? base::printable(stored.body, stored.body.size() * 4) : stored.body;
    std::fwrite(line.data(), 1, line.size(), stdout);
    if (!options.json) std::fputc('\n', stdout);
    return true;
  });
  if (options.json) std::fputs(first ? "[]\n" : "\n]\n", stdout);
  return scanned ? 0 : fail(scanned.error(), exit_failed);
}

}  // namespace proxy::commands
