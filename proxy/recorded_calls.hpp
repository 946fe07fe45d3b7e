#pragma once
// The calls of the ledger as they were judged, made again from decisions and their payloads, so that another
// policy can judge them. What was redacted, not kept or is gone is never guessed: such a call is left out,
// and why.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ledger/reader.hpp"
#include "policy/scene.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/recorded_scene.hpp"

namespace proxy {

struct RecordedCall {
  std::uint64_t sequence = 0;  // of its last decision
  std::string decision;        // ALLOW, ASK or DENY, as recorded
  base::Digest policy{};       // that decided
  policy::Call call;
  RecordedScene where;

  // `files/read_file`, `files/resources/read`
  std::string name() const { return call.server + "/" + (call.tool.empty() ? call.method : call.tool); }
};

// By the reason: the numbers of the calls that cannot be made again.
using LeftOut = std::map<std::string, std::vector<std::uint64_t>>;

// Each call of the mission (empty: of all), in order, once: a call that was judged again counts as it was
// last.
base::Result<LeftOut> each_recorded_call(const ledger::Reader& reader, const std::string& mission,
                                         const std::function<void(RecordedCall)>& use);

// `3 calls are not judged: arguments were redacted (12, 19, 30)`, one line a reason; empty: none is left out.
std::string left_out_text(const LeftOut& left_out);

}  // namespace proxy
