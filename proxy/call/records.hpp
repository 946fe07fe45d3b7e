#pragma once
// What one call puts on record. Pure: what was decided and what came of it go in, records to append come out.
// The records of an ask's way are approvals/asks.hpp.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "approvals/asks.hpp"
#include "ledger/fold.hpp"
#include "ledger/writer.hpp"
#include "policy/decision.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/call/call.hpp"
#include "proxy/call/judgement.hpp"
#include "transports/message.hpp"

namespace proxy {

// What is judged, bound and recorded of a request: a tool's arguments, else all of its params.
transports::Span judged_part(const transports::Message& request);
// Of a tools/call; empty for other methods.
std::string tool_of(const transports::Message& request);
// What people know it by: its tool, of other methods the method.
std::string called(const transports::Message& request);

// Where a call stands: what all of its records have in common.
struct CallAt {
  approvals::Standing standing;
  std::string server;
  std::uint64_t call = 0;  // its number
};

// The decision, and after it the violation of a DENY. Needs an active mission; where grants let the call
// pass, also that they stand, and the policy.
ledger::Append decision_records(const CallAt& at, const transports::Message& request,
                                const Judgement& judgement);
// Makes a decision_records of ASK open an ask, which says who asks and what may be granted, or join one that
// stands.
void open_ask(ledger::Append& records, const ledger::Agent& agent, const Judgement& judgement,
              const CallAt& at, std::int64_t expires);
void join_ask(ledger::Append& records, const CallAt& at, const ledger::Ask& ask);

// Of the decision on an answer: the tool of the request that it answers, and the decision that let that pass.
// A violation is left to the outcome.
void name_answer(ledger::Append& records, const transports::Message& request, std::uint64_t decision);

// How the call ended: the outcome of its own decision, with the answer's bytes as passed on, but without the
// note of a redirect, where there is one. After it a violation where deny rules found something in the
// answer: the gravest of them.
ledger::Append outcome_record(const CallAt& at, const ledger::Reference& decision, Ending ending,
                              const Call& call, std::chrono::steady_clock::time_point now);

}  // namespace proxy
