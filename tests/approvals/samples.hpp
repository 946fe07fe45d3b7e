#pragma once
// Records as the gate and the operator's commands write them, without a ledger.

#include <chrono>

#include "approvals/answer.hpp"
#include "ledger/reader.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/ed25519.hpp"
#include "proxy/base/sha256.hpp"

namespace approvals::samples {

using namespace std::chrono_literals;

inline base::WallTime at(std::chrono::nanoseconds since) { return base::WallTime(1'795'974'442s) + since; }
inline constexpr std::chrono::minutes ask_lasts{10};

inline const base::SigningKey& key() {
  static const base::SigningKey made = base::SigningKey::generate();
  return made;
}

inline ledger::StoredRecord stored(ledger::Record record, std::uint64_t sequence) {
  record.sequence = sequence;
  record.ledger = "00112233445566778899aabbccddeeff";
  record.time = at(0s).time_since_epoch().count();
  return {record, "", base::sha256("leaf " + std::to_string(sequence))};
}

inline ledger::StoredRecord ask(std::uint64_t sequence) {
  ledger::Record record;
  record.type = ledger::Type::decision;
  record.mission = "m-1";
  record.server = "files";
  record.decision = "ASK";
  record.writer = "w";
  record.capability = ledger::Capability{"tools/call", "write_file", {"write"}, base::sha256("the call")};
  record.details["expires"] = std::to_string(at(ask_lasts).time_since_epoch().count());
  return stored(record, sequence);
}

inline ledger::StoredRecord answer_to(const ledger::StoredRecord& decision, Verdict verdict,
                                      std::string_view rationale, base::WallTime now = at(0s)) {
  const auto append =
      make_answer(decision.record, decision.leaf, verdict, rationale, now, key(), std::string(16, 'n'));
  return stored(append.drafts.front().record, decision.record.sequence + 1);
}

}  // namespace approvals::samples
