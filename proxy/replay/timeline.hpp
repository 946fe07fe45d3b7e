#pragma once
// What one mission did, in order, as a value. Texts are as they stand in the ledger: untrusted, to be escaped
// by whoever shows them; each is cut to a bound, so that 10,000 calls are a matter of megabytes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "proxy/base/sha256.hpp"
#include "proxy/replay/mission_span.hpp"

namespace proxy::replay {

struct Effect {
  std::string summary;  // `write /w/a.txt`
  std::string tier;     // ALLOW, ASK or DENY
  std::string rule;     // empty: the default
  bool operator==(const Effect&) const = default;
};

struct Breach {  // a violation
  std::uint64_t record = 0;
  std::string kind, violation_class, severity, rule;
  bool operator==(const Breach&) const = default;
};

// An operator's word on one ask.
struct Answered {
  std::uint64_t record = 0;
  std::int64_t time = 0;
  std::string verdict;  // allow or deny
  std::string level;    // same-user, pin or separate-user
  std::string rationale;
  enum class Words { none, proven, unproven, gone } words = Words::none;  // whether those are the signed ones
  bool operator==(const Answered&) const = default;
};

// One decision and what came of it. A call that is judged again has another decision: a call of its own here,
// which says so.
struct Call {
  std::uint64_t number = 0;  // from 1, in the mission, over all its servers
  std::uint64_t record = 0;  // its decision
  std::int64_t time = 0;     // decided, UTC ns
  std::string writer;        // whose session it is
  std::string server, method, tool;
  std::string arguments;             // as stored, at most argument_bytes_max
  std::uint64_t arguments_size = 0;  // of all; 0: there are none
  bool arguments_gone = false;
  bool redacted = false;  // values of it were replaced before they were stored
  std::vector<Effect> effects;
  std::uint64_t effects_count = 0;  // of all; `effects` has the first ones
  std::string decision;             // ALLOW, ASK or DENY
  std::string rule, layer, place;   // that decided; no rule: the default
  std::string why;                  // of the rule
  std::vector<std::uint64_t> grants;
  std::string redirected_by;              // ids of rules, a blank between
  std::optional<std::uint64_t> again_of;  // number of the call as it was judged before
  bool judged_again = false;
  std::optional<std::uint64_t> answer_of;  // record: asked for is what came back of that decision's call
  std::optional<std::uint64_t> joins;      // record: it waits for the answer to that ask
  // Of an ASK.
  std::optional<Answered> answer;
  std::optional<std::uint64_t> grant;   // given with the answer, its record
  std::optional<std::int64_t> settled;  // when the wait ended: answered, expired, withdrawn or detached
  // `waiting`, `allowed`, `denied`, `detached`, `expired`, `withdrawn`, `open` (passed on, nothing has come
  // back), or the status of its outcome: `answered`, `refused`, `failed`, `cancelled`, `unknown`
  std::string state;
  std::string error;  // fixed code
  bool is_error = false;
  bool has_outcome = false;
  std::int64_t duration = 0;  // ns, from forward to answer
  std::uint64_t size = 0;     // bytes of the answer
  std::string result;         // withheld or redacted; empty: passed on whole
  std::string found;          // in the answer, by which rules
  std::vector<Breach> breaches;
  std::optional<base::Digest> request;   // of its arguments, workspaces aside; nullopt: gone
  std::optional<base::Digest> returned;  // of what was passed on; read with Payloads::results alone

  std::string what() const { return tool.empty() ? method : tool; }
  bool operator==(const Call&) const = default;
};
inline constexpr std::size_t argument_bytes_max = 2000;
inline constexpr std::size_t effects_max = 16;

// What happened beside the calls.
struct Event {
  enum class Kind {
    mission,  // it began, was paused, went on, ended
    session,
    tools,
    policy,
    grant,
    trouble,  // lost records, a dead process
    clock,
    other,
  } kind = Kind::other;
  std::uint64_t record = 0;
  std::int64_t time = 0;
  std::string type;    // of the record, or `clock`
  std::string server;  // empty: none
  std::string text;    // a clause in the past: `session with \`files\` began`
  bool operator==(const Event&) const = default;
};
const char* name(Event::Kind kind);

using Entry = std::variant<Call, Event>;
std::int64_t time_of(const Entry& entry);
std::uint64_t record_of(const Entry& entry);

struct ServerSeen {
  std::string name, server_name, server_version;
  std::string tools;  // digest of those pinned last; empty: none
  std::string tools_count;
  bool operator==(const ServerSeen&) const = default;
};

struct PolicySeen {
  std::string digest;
  std::string files;  // `user /home/me/…/policy.toml, repository … (trusted)`
  std::uint64_t record = 0;
  bool operator==(const PolicySeen&) const = default;
};

struct Timeline {
  MissionSpan span;
  std::int64_t start = 0, end = 0;  // of the last record, where it has not ended
  std::string state = "active";     // active, paused, terminated, ended
  std::string agent;                // as it claims: `claude-code 2.1`
  std::string protocol;
  std::int64_t process = 0;
  std::string commit;                // checked out in the workspace
  std::string workspace;             // empty: gone
  std::vector<ServerSeen> servers;   // by first use
  std::vector<PolicySeen> policies;  // each once, by first use
  std::vector<Entry> entries;        // by record
  bool operator==(const Timeline&) const = default;
};

struct Totals {
  std::size_t calls = 0, allowed = 0, asked = 0, denied = 0;
  std::size_t approved = 0, refused = 0, unanswered = 0;  // of the asked
  std::size_t violations = 0, errors = 0, withheld = 0;
  std::int64_t waited = 0;  // ns that calls waited for people, side by side counted each
  bool operator==(const Totals&) const = default;
};
Totals totals_of(const Timeline& timeline);

}  // namespace proxy::replay
