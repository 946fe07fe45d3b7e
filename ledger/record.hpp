#pragma once
// One record of the ledger as a value. Its bytes are defined by FORMAT.md and made by body.hpp.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/base/sha256.hpp"

namespace ledger {

enum class Type {
  genesis,
  writer_start,
  writer_stop,
  mission_start,
  mission_pause,
  mission_resume,
  mission_terminate,
  mission_end,
  session_start,
  session_end,
  tools_pinned,
  tools_changed,
  policy_loaded,
  policy_changed,
  policy_trusted,
  decision,
  answer,
  expired,
  withdrawn,
  detached,
  released,
  grant,
  redirect,
  outcome,
  violation,
  plan,
  validation,
  restore,
  notification,
  alert,
  gate_result,
  telemetry,
  checkpoint,
  key_rotation,
  hold_set,
  hold_released,
  purge,
  erase,
  exported,
  degraded,
};
const char* name(Type type);
std::optional<Type> type_from_name(std::string_view text);

// Points at an earlier record: where it stands and which bytes it has.
struct Reference {
  std::uint64_t sequence = 0;
  base::Digest leaf{};
  bool operator==(const Reference&) const = default;
};

// A payload that belongs to the record: committed to here, stored apart (payload.hpp).
// commitment = SHA-256("plc1" ‖ 0x00 ‖ salt[32] ‖ u64be(size) ‖ bytes), over the redacted bytes.
struct Commitment {
  std::string slot;  // `arguments`, `result`, `effects`, `rationale`, …; unique in the record
  base::Digest digest{};
  std::uint64_t size = 0;
  bool operator==(const Commitment&) const = default;
};

struct Process {
  std::int64_t pid = 0;
  std::uint64_t start = 0;  // clock ticks after boot, /proc/PID/stat field 22
  std::string boot;         // boot id, 32 hex digits
  bool operator==(const Process&) const = default;
};

struct Agent {  // as claimed by the client, but for the process
  std::string name, version, protocol;
  Process process;
  std::string commit;  // workspace commit, hex; may be empty
  bool operator==(const Agent&) const = default;
};

// Requested capability.
struct Capability {
  std::string method;
  std::string tool;
  std::vector<std::string> effects;  // enumeration names, each once, in order of first use
  base::Digest call{};               // binds mission, server, tool, definition and the exact argument bytes
  bool operator==(const Capability&) const = default;
};

struct Rule {
  std::string id, layer, tier;  // tier: ALLOW, ASK or DENY
  bool operator==(const Rule&) const = default;
};

struct Violation {
  std::string kind, violation_class, severity, rule;
  bool operator==(const Violation&) const = default;
};

struct Operator {
  std::string answer;            // allow | deny
  std::string level;             // same-user | pin | separate-user
  std::string key;               // public key, 64 hex digits
  std::string signature;         // 128 hex digits; over what: FORMAT.md
  std::int64_t valid_until = 0;  // UTC ns; 0 of trust, which has no end
  bool operator==(const Operator&) const = default;
};

struct Outcome {
  std::string status;         // answered | refused | failed | cancelled | unknown
  std::string error;          // fixed code; may be empty
  bool is_error = false;      // the server's own isError or JSON-RPC error
  std::uint64_t size = 0;     // bytes of the answer as received
  std::int64_t duration = 0;  // ns from forward to answer
  bool operator==(const Outcome&) const = default;
};

struct Record {
  // Set by the writer.
  std::string ledger;          // 32 hex digits
  std::uint64_t sequence = 0;  // gapless from 0
  base::Digest previous{};     // leaf of sequence - 1; zeros for 0
  std::int64_t time = 0;       // UTC ns
  std::int64_t monotonic = 0;  // ns since boot
  std::string boot;
  std::string writer;  // 32 hex digits
  std::vector<Commitment> payloads;
  std::map<std::string, std::uint64_t> redacted;  // redaction rule → count, over all payloads

  // Set by the caller.
  Type type = Type::genesis;
  std::string mission;     // mission id; empty: none
  std::uint64_t call = 0;  // number of the call in this mission and writer; 0: none
  std::optional<Reference> answers;
  std::optional<Agent> agent;
  std::optional<base::Digest> policy;
  std::string server;
  std::optional<Capability> capability;
  std::string decision;     // ALLOW | ASK | DENY; empty: none
  std::vector<Rule> rules;  // the deciding rule of each effect, each once
  std::optional<Violation> violation;
  std::optional<Operator> operator_;
  std::optional<Outcome> outcome;
  std::map<std::string, std::string> details;  // per type, keys listed in FORMAT.md

  // The detail of that key; empty: none.
  std::string detail(const std::string& key) const;

  bool operator==(const Record&) const = default;
};

}  // namespace ledger
