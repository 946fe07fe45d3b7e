#pragma once
// The calls of the ledger as they were judged, made again from decisions and their payloads, so that another
// policy can judge them. What was redacted, not kept or is gone is never guessed: such a call is left out,
// and why.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ledger/reader.hpp"
#include "policy/history.hpp"
#include "policy/scene.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/recorded/scene.hpp"

namespace proxy {

// How a call that passed did.
struct Passing {
  std::uint64_t sequence = 0;  // of the record that let it pass
  std::int64_t time = 0;       // of that, UTC ns
  std::uint64_t answered = 0;  // of the outcome, where it was answered without an error; else 0
};

struct RecordedCall {
  std::uint64_t sequence = 0;  // of its last decision
  std::int64_t time = 0;       // of that, UTC ns
  unsigned effects = 0;        // as recorded: effect_bits()
  std::optional<Passing> passed;
  std::string decision;   // ALLOW, ASK or DENY, as recorded
  bool refused = false;   // an operator was asked and said no
  base::Digest policy{};  // that decided
  policy::Call call;
  RecordedScene where;
  // What passed before, as the policy counts it that the call is judged by (history.hpp).
  policy::History history;

  // `files/read_file`, `files/resources/read`
  std::string name() const { return call.server + "/" + (call.tool.empty() ? call.method : call.tool); }
};

// By the reason: the numbers of the calls that cannot be made again.
using LeftOut = std::map<std::string, std::vector<std::uint64_t>>;

// Each call of the mission (empty: of all), in order, once: a call that was judged again counts as it was
// last.
// `cannot`, if given, gets those that cannot be made again, of which only
// numbers, decision, mission and effects are known.
base::Result<LeftOut> each_recorded_call(const ledger::Reader& reader, const std::string& mission,
                                         const std::function<void(RecordedCall)>& use,
                                         const std::function<void(const RecordedCall&)>& cannot = nullptr);

// Every decision in order, also those of calls that were judged again. `why`: empty, or why the call cannot
// be made again.
base::Result<void> each_recorded_decision(
    const ledger::Reader& reader, const std::string& mission,
    const std::function<void(const ledger::StoredRecord&, RecordedCall, const std::string& why)>& use);

// `3 calls are not judged: arguments were redacted (12, 19, 30)`, one line a reason; empty: none is left out.
std::string left_out_text(const LeftOut& left_out);

}  // namespace proxy
