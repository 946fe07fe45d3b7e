#pragma once
// The columns of table `record` that are derived from the body: for queries, never evidence.

#include <cstdint>
#include <optional>
#include <string_view>

#include "ledger/record.hpp"

namespace ledger {

// Absent is NULL. Views of what it was made of.
struct Columns {
  std::int64_t time = 0;
  std::string_view type;
  std::optional<std::string_view> mission;
  std::optional<std::int64_t> call;
  std::optional<std::int64_t> answers;  // sequence only
  std::optional<std::string_view> server;
  std::optional<std::string_view> tool;
  std::optional<std::string_view> decision;
  std::optional<std::string_view> status;  // of the outcome
  bool operator==(const Columns&) const = default;
};

Columns columns_of(const Record& record);

}  // namespace ledger
