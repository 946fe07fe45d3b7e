#pragma once
// What passed in a mission before a call is judged, over all its servers: read from the ledger as far as it
// has grown since, and what of this process is under way. Reads nothing where the policy counts no calls.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ledger/reader.hpp"
#include "policy/decision.hpp"
#include "proxy/mission/passed_calls.hpp"
#include "proxy/setup/log.hpp"

namespace proxy {

// More records than this are not read at once: what lies before them is not known then. Some 30 µs each.
inline constexpr std::uint64_t history_records_max = 50'000;

class MissionHistory {
 public:
  // `start`: the mission's first record; `writer`: our own. Reads nothing yet.
  MissionHistory(ledger::Place place, std::string mission, std::uint64_t start, std::string writer,
                 std::vector<policy::Tally> tallies);

  // From now on these count, of another policy: all is read anew, and what is under way stays so.
  void count(std::vector<policy::Tally> tallies);
  // Whether any earlier calls are counted: else there is nothing to ask.
  bool counts() const { return !passed_.tallies().empty(); }

  // As it is now, for a call of that number; it stands until the next question. Where the ledger cannot be
  // read, nothing is known, and `log` says so.
  const policy::History& before(std::uint64_t call, const Log& log);
  // How a call of ours was decided by what before() said; `approved`: it has an approval that still fits. If
  // it is about to pass, it counts from now on, until it is seen on record or is over. The last record that
  // was read for it; nothing: they could not be.
  std::optional<std::uint64_t> judged(std::uint64_t call, const policy::Decision& decision, bool approved);
  void over(std::uint64_t call) { under_way_.erase(call); }
  // A call of ours was answered, by the decision it passed by.
  void answered(std::uint64_t decision, bool is_error);

 private:
  base::Result<void> read();
  void use(const ledger::Record& record);

  ledger::Place place_;
  std::string mission_;
  std::uint64_t start_;
  std::string writer_;
  std::unique_ptr<ledger::Reader> reader_;  // null: not open
  PassedCalls passed_;
  std::uint64_t next_;  // the record to read next
  bool cut_ = false;    // what comes next does not follow what was read
  bool readable_ = false;
  struct CallUnderWay {
    std::int64_t since = 0;
    std::vector<std::string> tallies;
  };
  std::map<std::uint64_t, CallUnderWay> under_way_;  // by number
  policy::History now_;
};

}  // namespace proxy
