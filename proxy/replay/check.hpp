#pragma once
// Each decision of a mission made again from its own record: the call, its scene, policy, history and grants,
// and what the file system said (payload `seen`). Reads no policy file of today; of the file system only
// texts that are on record by their digest.

#include <cstdint>
#include <string>
#include <vector>

#include "ledger/reader.hpp"
#include "proxy/base/error.hpp"
#include "proxy/replay/mission_span.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::replay {

enum class Verdict { same, different, unknown };
const char* name(Verdict verdict);  // `SAME`, `DIFFERENT`, `UNKNOWN`

struct RemadeDecision {
  std::uint64_t sequence = 0;
  std::string call;  // `files/read_file`
  Verdict verdict = Verdict::unknown;
  std::string why;  // what differs, or why it is not known; untrusted text, to be escaped
};

// In order. Error: the ledger cannot be read.
base::Result<std::vector<RemadeDecision>> check_mission(const ledger::Reader& reader,
                                                        const Surroundings& here, const MissionSpan& span);

}  // namespace proxy::replay
