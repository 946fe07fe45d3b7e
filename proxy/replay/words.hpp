#pragma once
// How a timeline's parts are said, the same in every form of it. What stands in them of the ledger is not
// escaped here.

#include <cstdint>
#include <string>

#include "proxy/replay/checked.hpp"
#include "proxy/replay/timeline.hpp"

namespace proxy::replay {

// `1.2 ms`, `340 ms`, `12 s`, `3 min 2 s`, `2 h 5 min`, `3 d 4 h`
std::string duration_text(std::int64_t nanoseconds);
// Since the mission began: `0:03.120`, `12:40.001`, `1:02:03.004`
std::string after_text(std::int64_t nanoseconds);
// `340 B`, `1.2 kB`, `3.4 MB`
std::string size_text(std::uint64_t bytes);

// What decided: a rule's id, `grant 12`, `default`.
std::string decided_by(const Call& call);
// What came of it: `answered, 1.2 ms, 340 B`, `denied after 12 s`, `allowed after 12 s, answered, 3 ms, 40 B`
std::string outcome_text(const Call& call);
// The effect that tells most, paths below the workspace without it; empty: none does.
std::string telling_effect(const Timeline& timeline, const Call& call);
// `rule no-secrets, high, malicious`
std::string breach_text(const Breach& breach);
// `12 calls: 9 allowed, 2 asked (1 approved, 1 refused), 1 denied; 1 violation; 1 error; people took 12 s`
std::string totals_text(const Totals& totals);
// `SELF-CONSISTENT, 512 records`; what was found follows.
std::string checked_text(const Checked& checked);
inline constexpr std::size_t findings_shown_max = 10;  // for people
std::string finding_text(const ledger::Finding& finding);

}  // namespace proxy::replay
