#pragma once
// What verifying the ledger found, as it concerns one mission. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "ledger/verify.hpp"
#include "proxy/replay/mission_span.hpp"
#include "proxy/replay/timeline.hpp"

namespace proxy::replay {

struct Checked {
  ledger::Report::Level level = ledger::Report::Level::inconsistent;
  std::uint64_t records = 0;
  std::string loss;
  std::string unproven;
  std::vector<ledger::Finding> here;  // of records that the mission's lie among, or of no record
  std::uint64_t elsewhere = 0;        // findings of other records
  std::uint64_t not_listed = 0;       // beyond those that verify keeps, of any record
  bool operator==(const Checked&) const = default;
};

// `last_record`: of the mission.
Checked checked_of(const ledger::Report& report, const MissionSpan& span, std::uint64_t last_record);
std::uint64_t last_record(const Timeline& timeline);

}  // namespace proxy::replay
