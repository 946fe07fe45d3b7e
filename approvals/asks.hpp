#pragma once
// The records of an ask's way, each with the preconditions of STATES.md. One function a row of that table;
// `answer` is in answer.hpp, and the `decision` itself is the gate's, with opening() as its preconditions.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "approvals/binding.hpp"
#include "ledger/fold.hpp"
#include "ledger/writer.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/sha256.hpp"

namespace approvals {

// Where a call stands: what must still be so when it is decided and when it is released.
struct Standing {
  std::string mission;
  base::Digest policy{};
};

// Of the decision that opens an ask, and of one that joins an ask that stands.
std::vector<ledger::Precondition> opening(const Standing& standing, const base::Digest& call);
std::vector<ledger::Precondition> joining(const Standing& standing, std::uint64_t ask);

enum class Withdrawal { cancelled, closed };

// `ask` is the decision of the ask (for a joined call: the one it joined), `mission` and `server` its own.
struct AskAt {
  ledger::Reference ask;
  std::string mission, server;
  std::uint64_t call = 0;
};

// `repeat`: as in CallDigests.
ledger::Append detached(const AskAt& at, std::chrono::milliseconds limit, const base::Digest& repeat);
ledger::Append expired(const AskAt& at);
ledger::Append withdrawn(const AskAt& at, Withdrawal cause);
// Claims an allowed answer (its sequence), once. Code::conflict: used, expired, mission not active, or
// another policy.
ledger::Append released(const AskAt& at, std::uint64_t answer, const Standing& standing);

// The ask that stands for this call (open, detached, allowed, or denied and still usable), which a new
// identical call joins; null when there is none. Identical is byte for byte; to a detached ask, whose call is
// written anew, it is by what the arguments say. One whose time has passed is not it: expired() closes that
// one first.
const ledger::Ask* standing_ask(const ledger::Fold& fold, const std::string& mission, const CallDigests& call,
                                base::WallTime now);
// Asks that no process waits on any more, or that were answered, and whose time has passed: expired() for
// each.
std::vector<ledger::Ask> overdue(const ledger::Fold& fold, base::WallTime now);

}  // namespace approvals
