#pragma once
// A grant: the operator's word that answers asks of one agent beforehand, for the rest of its mission or
// until it expires. Made at one ask, signed, and checked (STATES.md, «Grants»).

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "ledger/reader.hpp"
#include "ledger/record.hpp"
#include "ledger/writer.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/ed25519.hpp"
#include "proxy/base/sha256.hpp"

namespace approvals {

// The longest that a grant can be used, from its making.
inline constexpr std::chrono::hours grant_lasts_max{24};

// What a grant answers: call: the same call again (`details.same` of the decision); effects: what was asked
// there, wherever it is asked again; tool: the tool, whatever its arguments; rule: as the operator wrote it.
// The rule (policy/grant.hpp) says it all; of `call` the digest beside it.
enum class GrantScope { call, effects, tool, rule };
const char* name(GrantScope scope);
std::optional<GrantScope> scope_from_name(std::string_view text);

struct GrantTerms {
  GrantScope scope = GrantScope::call;
  std::string rule;                  // TOML; becomes the payload `rule`
  std::optional<base::Digest> same;  // of scope call, and of no other
  base::WallTime until;
  std::string rationale;  // may be empty
};

// `decision` is the ask that it is given at, `nonce` 16 bytes of chance.
ledger::Draft make_grant(const ledger::StoredRecord& decision, const GrantTerms& terms,
                         const base::SigningKey& key, std::string_view nonce);
// Takes a grant back: the whole append, with its precondition.
ledger::Append make_revocation(const ledger::StoredRecord& grant, std::string_view rationale,
                               const base::SigningKey& key, std::string_view nonce);

// Whether `grant` was given at this ask by the holder of `operator_key` (64 hex digits), for its mission and
// server. Says nothing about time, and nothing about whether it was taken back.
bool genuine_grant(const ledger::Record& grant, const ledger::StoredRecord& decision,
                   const std::string& operator_key);

// The rule in a `rule` payload; nullopt when the payload is not the one that was signed.
std::optional<std::string> rule_of(const ledger::Record& grant, std::string_view payload);

// What the operator and the ledger call it: that the call passes only while these stand.
ledger::Precondition stands(const std::string& mission, std::uint64_t grant);

}  // namespace approvals
