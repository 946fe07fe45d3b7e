#pragma once
// Records and payloads for people: times as UTC, durations in milliseconds, all text escaped, what agents,
// servers and operators wrote behind gutters (approvals/render.hpp). What only ties a record to its chain and
// machine is left out: `--json` has it.

#include <optional>
#include <string>
#include <vector>

#include "approvals/render.hpp"
#include "ledger/record.hpp"

namespace proxy::commands {

// `record 12: decision, 2026-11-29T17:44:21.123Z`
std::string record_title(const ledger::Record& record);

// What the record says, one field a line: its name, then its value.
std::vector<std::string> record_lines(const ledger::Record& record);

// A title, then what the payload holds: effects and an operator's words as such, JSON laid out, all else as
// it is, cut after 64 KiB where it says so. `bytes` nullopt: gone.
std::vector<std::string> payload_lines(const ledger::Record& record, const ledger::Commitment& commitment,
                                       const std::optional<std::string>& bytes,
                                       const approvals::RenderOptions& options);

}  // namespace proxy::commands
