#pragma once
// What would have been decided under another policy file, which stands in the place of its layer beside all
// else that a mission's decisions were made with.

#include <cstdint>
#include <string>
#include <vector>

#include "ledger/reader.hpp"
#include "policy/policy.hpp"
#include "proxy/base/error.hpp"
#include "proxy/recorded/calls.hpp"
#include "proxy/replay/mission_span.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::replay {

struct WhatIf {
  struct Call {
    std::uint64_t sequence = 0;  // of its last decision
    std::string name;            // `files/read_file`
    policy::Tier then{}, now{};
    std::string then_by, now_by;  // the rule; empty: the default
    std::string now_place;        // `file:line` of that
    std::string effect;           // that decided; text of the agent's, to be escaped
    // The agent would have gone another way from the first change on, and what it did then is no more than
    // likely.
    bool hypothetical = false;
    std::string
        asked_today;  // a path that the record says nothing of, and the file system of today did; else empty
    bool loosened() const { return now > then; }
    bool changed() const { return now != then; }
  };
  std::vector<Call> calls;  // that can be made again, in order
  LeftOut unknown;          // the others, by the reason
  bool loosened() const;
};

// `file`: of the layer that it is here, else of the mission's. Errors of reading; Code::invalid: the file
// does not load.
base::Result<WhatIf> judge_under(const ledger::Reader& reader, const Surroundings& here,
                                 const MissionSpan& span, const policy::Source& file);

}  // namespace proxy::replay
