#pragma once
// An operator's answer to one ask: made, signed, and checked (STATES.md, «What an answer signs»).

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ledger/record.hpp"
#include "ledger/writer.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/ed25519.hpp"
#include "proxy/base/sha256.hpp"

namespace approvals {

// How long an answer can be used, from its making.
inline constexpr std::chrono::minutes usable_for{10};
// An operator's words, in bytes; longer ones are refused.
inline constexpr std::size_t rationale_bytes_max = 8 * 1024;

enum class Verdict { deny, allow };
const char* name(Verdict verdict);  // `deny`, `allow`

// The whole append: record, `rationale` payload, precondition ask_unanswered. `decision` is the ask's
// decision record as read from the ledger, `leaf` its leaf. `nonce` is 16 bytes of chance.
ledger::Append make_answer(const ledger::Record& decision, const base::Digest& leaf, Verdict verdict,
                           std::string_view rationale, base::WallTime now, const base::SigningKey& key,
                           std::string_view nonce);

// Whether `answer` is an answer to this decision by the holder of `operator_key` (64 hex digits). Says
// nothing about time or about whether it was used: that is for the preconditions of `released`.
bool genuine(const ledger::Record& answer, const ledger::Record& decision, const base::Digest& leaf,
             const std::string& operator_key);

// Of a genuine answer.
Verdict verdict_of(const ledger::Record& answer);

// The operator's words in a `rationale` payload; nullopt when the payload is not of that form or not the one
// that was signed (`details.rationale`): redacted words are shown as unproven, never as the operator's.
std::optional<std::string> rationale_of(const ledger::Record& answer, std::string_view payload);
// The same of any payload that begins with chance: 32 hex digits, a line feed, the words; `digest` is what
// was signed.
std::optional<std::string> signed_words(const std::string& digest, std::string_view payload);

}  // namespace approvals
