#pragma once
// What becomes of one held call, as a state machine without I/O: it is told what was recorded, what was
// cancelled and what time it is, and says what to do next. watch.hpp carries it out.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "ledger/fold.hpp"
#include "ledger/reader.hpp"
#include "proxy/base/clock.hpp"

namespace approvals {

enum class Fate {
  unreadable,    // the zero value: the ledger cannot be read any more. Not allowed
  allowed,       // by a genuine answer: now `released` may claim it
  denied,        // by a genuine answer
  expired,       // nobody answered in time, or an answer was not used in time
  client_limit,  // the client is about to give up: `detached`, then «repeat later»
  withdrawn,     // on record by somebody else: judge the call anew
  taken,         // another call was released on the answer: judge this one anew
  overtaken,     // it would not be asked any more: judge it anew
  cancelled,     // by Held::cancel
};
const char* name(Fate fate);

struct HoldTerms {
  ledger::Reference ask;               // the decision of the ask, which may be another call's (joined)
  base::WallTime expires;              // of the ask
  base::MonotonicTime client_limit{};  // when the client must have an answer, clients.hpp
  bool progress = false;               // the request has a progress token
};

// The end of a wait.
struct Resolution {
  Fate fate = Fate::unreadable;
  std::optional<ledger::StoredRecord> answer;  // allowed, denied
  std::string rationale;                       // the operator's words; empty: none, or they cannot be read
  std::string why;                             // unreadable: for the log
};

enum class HoldStep {
  progress,  // send progress, then step() again
  read,      // read what was recorded up to now, then have_read(), then step() again
  wait,      // until something is told or `until` has passed
  done,      // resolution()
};

struct HoldAction {
  HoldStep step = HoldStep::done;
  std::chrono::nanoseconds wait{};  // from now
};

class HoldState {
 public:
  explicit HoldState(HoldTerms terms) : terms_(terms) {}

  // Once, before any record: the decision as read from the ledger, and the ledger's operator key. What is not
  // the ask that the terms name ends the wait as unreadable.
  void begin(const ledger::StoredRecord& decision, const std::string& operator_key);

  // Any record, in order; those about other asks change nothing. False: an answer to this ask that is not
  // genuine. It was ignored.
  bool observe(const ledger::StoredRecord& record);
  // All that was on record when step() said `read` has been observed.
  void have_read() { read_after_expiry_ = expiry_seen_; }
  void cancel() { end(Fate::cancelled); }
  void overtake() { end(Fate::overtaken); }
  void unreadable(std::string why);

  HoldAction step(base::WallTime wall, base::MonotonicTime monotonic);

  const HoldTerms& terms() const { return terms_; }
  const Resolution& resolution() const { return resolution_; }
  std::uint64_t progress_sent() const { return progress_sent_; }

 private:
  void end(Fate fate);

  HoldTerms terms_;
  std::optional<ledger::StoredRecord> decision_;
  std::string operator_key_;
  bool done_ = false;
  bool expiry_seen_ = false;
  bool read_after_expiry_ = false;
  std::uint64_t progress_sent_ = 0;
  std::optional<base::MonotonicTime> next_progress_;
  Resolution resolution_;
};

}  // namespace approvals
