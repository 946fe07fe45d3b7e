#pragma once
// The columns of table `record` that are derived from the body: for queries, never evidence.

#include <cstdint>
#include <optional>
#include <string>

#include "ledger/record.hpp"

namespace ledger {

// Absent is NULL.
struct Columns {
  std::int64_t time = 0;
  std::string type;
  std::optional<std::string> mission;
  std::optional<std::int64_t> call;
  std::optional<std::int64_t> answers;  // sequence only
  std::optional<std::string> server;
  std::optional<std::string> tool;
  std::optional<std::string> decision;
  std::optional<std::string> status;  // of the outcome
  bool operator==(const Columns&) const = default;
};

Columns columns_of(const Record& record);

}  // namespace ledger
