#pragma once
// State as a fold over records: missions, asks, grants, trust. A pure value: apply() every record in order.
// The database keeps a copy in derived tables so that opening is quick; verify folds again and compares.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ledger/record.hpp"

namespace ledger {

enum class MissionState { active, paused, terminated, ended };
const char* name(MissionState state);

struct Mission {
  std::string id;
  base::Digest key{};  // details["key"] of mission_start: one agent process on one workspace
  MissionState state = MissionState::active;
  std::uint64_t start = 0;  // sequence of mission_start
  // That its runs judge by, by their writers: each goes over to another when it looks at the files itself.
  std::map<std::string, base::Digest> policies;
  bool judges_by(const base::Digest& policy) const;
  bool operator==(const Mission&) const = default;
};

struct Trust {
  base::Digest policy{};     // of the file's bytes
  std::uint64_t record = 0;  // sequence of policy_trusted, whose signature counts
  bool ended = false;        // a session has gone over to other bytes since: these need the word anew
  bool operator==(const Trust&) const = default;
};

// approvals/STATES.md. Final states are dropped from the fold.
enum class AskState { open, detached, allowed, denied, expired, withdrawn, released };
const char* name(AskState state);

struct Ask {
  std::uint64_t decision = 0;  // sequence of the decision record: the ask's id
  base::Digest leaf{};         // of the decision record
  std::string mission, server, tool, writer;
  base::Digest call{};
  AskState state = AskState::open;
  // Detached: its call was answered «repeat later», and this is what a repeat is known by.
  std::optional<base::Digest> repeat;
  std::int64_t asked = 0;    // UTC ns
  std::int64_t expires = 0;  // UTC ns
  std::uint64_t answer = 0;  // sequence of the answer record; 0: none
  bool detached() const { return repeat.has_value(); }
  bool operator==(const Ask&) const = default;
};

// That was given right after the answer that allowed its ask, and not taken back, in a mission that has not
// ended. It may have expired. (Nobody can give the same one again later: another record follows the answer.)
struct Grant {
  std::uint64_t record = 0;  // sequence of the grant record, whose signature counts: the grant's id
  base::Digest leaf{};       // of that
  std::string mission;
  std::uint64_t ask = 0;     // sequence of the decision it was given at
  std::int64_t expires = 0;  // UTC ns
  bool operator==(const Grant&) const = default;
};

// What must not be purged or erased as long as it stands.
struct Hold {
  enum class Scope { mission, agent, time, all };
  std::uint64_t record = 0;  // sequence of hold_set: its id
  base::Digest leaf{};       // of that
  Scope scope = Scope::all;
  std::string of;                    // the mission's id, the agent's name
  std::int64_t from = 0, until = 0;  // UTC ns, both included
  bool operator==(const Hold&) const = default;
};
const char* name(Hold::Scope scope);
// nullopt: the record's details say nothing that holds.
std::optional<Hold> hold_of(const Record& hold_set, const base::Digest& leaf);

// What a removal would touch.
struct Touched {
  std::string mission;                         // empty: none
  std::set<std::string> agents;                // that took part in the mission
  std::int64_t first_time = 0, last_time = 0;  // of the records, UTC ns
};

class Fold {
 public:
  void apply(const Record& record, const base::Digest& leaf);
  // False when apply(record) would surely change nothing: the everyday ALLOW decisions and outcomes.
  bool concerns(const Record& record) const;

  const std::map<std::string, Mission>& missions() const { return missions_; }  // not ended
  const std::map<std::uint64_t, Ask>& asks() const { return asks_; }            // not final
  const Mission* mission(const std::string& id) const;
  const Mission* mission_by_key(const base::Digest& key) const;
  const Ask* ask(std::uint64_t decision) const;
  // Whether this record gives a grant as it must be given.
  bool gives(const Record& grant) const;
  const std::map<std::uint64_t, Grant>& grants() const { return grants_; }
  // workspace digest → the repository policy that the operator trusts now; what else stands in that place
  // (FORMAT.md, `parts`) → what was accepted of it
  const std::map<base::Digest, Trust>& trusted() const { return trusted_; }
  const std::map<std::uint64_t, Hold>& holds() const { return holds_; }  // standing
  // The first hold that covers some of it; nullptr: none.
  const Hold* held(const Touched& touched) const;
  const std::optional<std::string>& operator_key() const { return operator_key_; }  // 64 hex digits
  // That checkpoints from here on are signed with: 64 hex digits.
  const std::optional<std::string>& checkpoint_key() const { return checkpoint_key_; }

  bool operator==(const Fold&) const = default;

 private:
  friend class FoldStore;  // loads and saves the derived tables
  void apply_to_ask(const Record& record);
  void apply_to_mission(const Record& record);
  void end_trust(const Record& record);
  void apply_to_grant(const Record& record, const base::Digest& leaf);
  void open_ask(const Record& record, const base::Digest& leaf);
  std::map<std::string, Mission> missions_;
  std::map<std::uint64_t, Ask> asks_;
  std::map<std::uint64_t, Grant> grants_;
  std::map<base::Digest, Trust> trusted_;
  std::map<std::uint64_t, Hold> holds_;
  std::optional<std::string> operator_key_, checkpoint_key_;
};

// Must hold under the lock, or nothing of the append is written (Code::conflict).
struct Precondition {
  enum class Kind {
    mission_active,       // mission
    no_mission_with_key,  // digest: the mission key
    ask_unanswered,       // sequence: open or detached, and not expired at the time of the append
    ask_allowed,          // sequence: answered allow, not yet released, not expired
    ask_not_final,        // sequence: open, detached, allowed or denied
    no_ask_for_call,      // mission, digest: no open, detached or allowed ask for this call
    grant_stands,         // mission, sequence: given, not taken back, not expired
    policy_is,            // mission, digest: one of its runs loaded it and nothing has replaced it
  };
  Kind kind{};
  std::string mission;
  std::uint64_t sequence = 0;
  base::Digest digest{};
};

// Which precondition fails first, as text; nullopt when all hold. `now` is UTC ns.
std::optional<std::string> failing(const std::vector<Precondition>& preconditions, const Fold& fold,
                                   std::int64_t now);

}  // namespace ledger
