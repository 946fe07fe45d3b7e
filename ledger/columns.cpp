#include "ledger/columns.hpp"

namespace ledger {
namespace {

std::optional<std::string_view> unless_empty(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

Columns columns_of(const Record& record) {
  Columns columns;
  columns.time = record.time;
  columns.type = name(record.type);
  columns.mission = unless_empty(record.mission);
  if (record.call != 0) columns.call = static_cast<std::int64_t>(record.call);
  if (record.answers) columns.answers = static_cast<std::int64_t>(record.answers->sequence);
  columns.server = unless_empty(record.server);
  if (record.capability) columns.tool = unless_empty(record.capability->tool);
  columns.decision = unless_empty(record.decision);
  if (record.outcome) columns.status = record.outcome->status;
  return columns;
}

}  // namespace ledger
