#pragma once
// What the operator signs of what is kept and what goes: holds, purges, erasures (FORMAT.md, «Operator's
// signature»).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ledger/record.hpp"

namespace ledger {

// Of a record whose `operator_` is set.
std::string custody_text(const Record& record);

// What a purge or an erasure takes away: payloads of a mission's records [from, to], or those slots of one
// record.
struct Removal {
  std::string mission;  // empty: of one record
  std::uint64_t from = 0, to = 0;
  std::int64_t before = 0;  // a purge: all is older, UTC ns; else 0
  std::uint64_t size = 0;   // of a checkpoint that signs it all
  std::vector<std::string> slots;
};
// nullopt: the record's details say none.
std::optional<Removal> removal_of(const Record& purge_or_erase);
void put(const Removal& removal, Record& record);

}  // namespace ledger
