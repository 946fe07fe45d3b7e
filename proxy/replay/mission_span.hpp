#pragma once
// Which records are those of a mission: a name may be used again once its mission has ended.

#include <cstdint>
#include <string>

#include "ledger/reader.hpp"
#include "proxy/base/error.hpp"

namespace proxy::replay {

struct MissionSpan {
  std::string id;
  std::uint64_t first = 0;                 // its mission_start
  std::uint64_t last = ~std::uint64_t{0};  // before the next mission_start of that name
  bool holds(const ledger::Record& record) const {
    return record.mission == id && record.sequence >= first && record.sequence <= last;
  }
  bool operator==(const MissionSpan&) const = default;
};

// `text`: a mission's id or name (the newest of that name), `NAME@RECORD` (the one that began with that
// record), or `last` (the newest of all). Code::not_found: there is none.
base::Result<MissionSpan> find_mission(const ledger::Reader& reader, const std::string& text);

}  // namespace proxy::replay
