#pragma once
// What the subcommands of `callgate ledger` do. Each returns the exit code. All text of the ledger is printed
// escaped.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "ledger/reader.hpp"
#include "ledger/verify.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/error.hpp"

namespace CLI {
class App;
}

namespace proxy::commands {

struct LedgerList {
  // Only these; empty: all.
  std::string mission;
  std::string server;
  std::string decision;                 // ALLOW, ASK or DENY
  std::optional<base::WallTime> since;  // not before
  std::size_t limit = 50;
  bool json = false;
  bool records = false;  // every record as it is stored, oldest first, in place of the calls
};
bool wanted(const LedgerList& options, const ledger::Record& record);

// Going backwards: whether all that is left was recorded before `since`. Clocks step back, so that only many
// older records in a row say so.
class TooOld {
 public:
  explicit TooOld(const LedgerList& options) : options_(options) {}
  bool operator()(const ledger::Record& record);

 private:
  const LedgerList& options_;
  std::size_t in_a_row_ = 0;
};

// The time that `--since` means, at `now`: so long ago (`10m`, `2h`, `1d`), or a UTC time or day (clock.hpp).
base::Result<base::WallTime> since_when(const std::string& text, base::WallTime now);
// What a call did, on one line of so many columns: cut at its end, of a path at its beginning, behind `…`.
// Printable.
std::string shown_what(const std::string& what, std::size_t columns);
int list_ledger(const ledger::Place& place, const LedgerList& options);
int list_records(const ledger::Place& place, const LedgerList& options);

struct LedgerShow {
  std::string sequence;  // a number, or `last`: the last call's decision
  bool json = false;
};
int show_ledger(const ledger::Place& place, const LedgerShow& options);

struct LedgerVerify {
  std::string key;  // verifier key to pin instead of those known here; empty: these
  ledger::Report::Level required = ledger::Report::Level::self_consistent;
  bool offline = false;  // without reading anchors
  bool json = false;
};
int verify_ledger(const LedgerVerify& options);

struct LedgerKey {
  bool rotate = false;
};
int ledger_key(const LedgerKey& options);

// After a loss: the operator goes on with what is left, on record.
int adopt_loss(bool yes);

// `hold`, `prune` and `erase`, `export`, to `ledger`.
void add_ledger_hold(CLI::App& ledger, int& exit);
void add_ledger_prune(CLI::App& ledger, int& exit);
void add_ledger_export(CLI::App& ledger, int& exit);

// What a stored text is in JSON: itself, or {"base64":…} when it is not UTF-8.
std::string json_of(const std::string& bytes);

}  // namespace proxy::commands
