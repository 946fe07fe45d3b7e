#include "approvals/hold.hpp"

#include <algorithm>
#include <utility>

#include "approvals/answer.hpp"
#include "approvals/clients.hpp"

namespace approvals {
namespace {

// Waits are short enough that a step of the wall clock is noticed.
constexpr std::chrono::seconds longest_wait{30};

bool opens_an_ask(const ledger::Record& record) {
  return record.type == ledger::Type::decision && record.decision == "ASK" &&
         !record.details.contains("joins");
}

}  // namespace

const char* name(Fate fate) {
  switch (fate) {
    case Fate::unreadable: return "unreadable";
    case Fate::allowed: return "allowed";
    case Fate::denied: return "denied";
    case Fate::expired: return "expired";
    case Fate::client_limit: return "client limit";
    case Fate::withdrawn: return "withdrawn";
    case Fate::taken: return "taken";
    case Fate::overtaken: return "overtaken";
    case Fate::cancelled: return "cancelled";
  }
  return "unreadable";
}

void HoldState::begin(const ledger::StoredRecord& decision, const std::string& operator_key) {
  if (ledger::Reference{decision.record.sequence, decision.leaf} != terms_.ask ||
      !opens_an_ask(decision.record))
    return unreadable("record " + std::to_string(terms_.ask.sequence) + " is not the ask that is waited for");
  decision_ = decision;
  operator_key_ = operator_key;
}

bool HoldState::observe(const ledger::StoredRecord& stored) {
  const ledger::Record& record = stored.record;
  if (done_ || !decision_ || !record.answers || *record.answers != terms_.ask) return true;
  if (record.type == ledger::Type::answer) {
    if (!genuine(record, decision_->record, decision_->leaf, operator_key_)) return false;
    if (!resolution_.answer) resolution_.answer = stored;  // the first answer counts
  } else if (record.type == ledger::Type::released) {
    end(Fate::taken);
  } else if (record.type == ledger::Type::expired) {
    end(Fate::expired);
  } else if (record.type == ledger::Type::withdrawn) {
    end(Fate::withdrawn);
  }
  return true;
}

void HoldState::unreadable(std::string why) {
  if (done_) return;
  end(Fate::unreadable);
  resolution_.why = std::move(why);
}

void HoldState::end(Fate fate) {
  if (done_) return;
  done_ = true;
  resolution_.fate = fate;
  if (fate != Fate::allowed && fate != Fate::denied) resolution_.answer.reset();
}

HoldAction HoldState::step(base::WallTime wall, base::MonotonicTime monotonic) {
  if (!done_ && resolution_.answer) {
    const ledger::Record& answer = resolution_.answer->record;
    const bool usable = wall.time_since_epoch().count() < answer.operator_->valid_until;
    end(!usable ? Fate::expired : verdict_of(answer) == Verdict::allow ? Fate::allowed : Fate::denied);
  }
  if (!done_ && wall >= terms_.expires) {
    // An answer in time wins, even when its bell is still to be heard.
    if (!read_after_expiry_) {
      expiry_seen_ = true;
      return {HoldStep::read, {}};
    }
    end(Fate::expired);
  }
  if (!done_ && monotonic >= terms_.client_limit) end(Fate::client_limit);
  if (done_) return {HoldStep::done, {}};
  if (terms_.progress && (!next_progress_ || monotonic >= *next_progress_)) {
    next_progress_ = monotonic + progress_every;
    ++progress_sent_;
    return {HoldStep::progress, {}};
  }
  std::chrono::nanoseconds wait = std::min<std::chrono::nanoseconds>(terms_.expires - wall, longest_wait);
  wait = std::min(wait, terms_.client_limit - monotonic);
  if (terms_.progress) wait = std::min(wait, *next_progress_ - monotonic);
  return {HoldStep::wait, wait};
}

}  // namespace approvals
