#pragma once
// What the decisions of a mission were made with, from the ledger: policies, grants, what was seen of the
// file system.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/reader.hpp"
#include "policy/grant.hpp"
#include "policy/path/seen.hpp"
#include "policy/policy.hpp"
#include "proxy/base/error.hpp"
#include "proxy/recorded/calls.hpp"
#include "proxy/replay/mission_span.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::replay {

class Inputs {
 public:
  Inputs(const ledger::Reader& reader, const Surroundings& here, const MissionSpan& span)
      : reader_(reader), here_(here), span_(span) {}

  // Policies of each writer, and what judged; before all else.
  base::Result<void> learn();

  struct Loaded {
    std::optional<policy::Policy> policy;
    std::string why;  // there is none
  };
  const Loaded& policy_of(const ledger::Record& decision, const RecordedCall& call);
  // Those that the decision names. `why` is set where one is not on record whole.
  base::Result<std::vector<policy::Grant>> grants_of(const ledger::Record& decision,
                                                     const policy::Anchors& anchors, std::string& why) const;
  // nullopt, and why: gone, or not read.
  base::Result<std::optional<policy::Seen>> seen_of(const ledger::StoredRecord& stored,
                                                    std::string& why) const;
  // `callgate VERSION` and its digest (FORMAT.md); empty: not on record.
  const std::string& engine_of(const ledger::Record& decision) const;
  // Denied since nobody was there to be asked.
  bool was_unattended(std::uint64_t decision) const;
  std::string home_of(const RecordedCall& call) const;

 private:
  const ledger::Reader& reader_;
  const Surroundings& here_;
  const MissionSpan& span_;
  std::map<std::string, std::string> engines_;                                     // by writer
  std::map<std::pair<std::string, base::Digest>, ledger::StoredRecord> policies_;  // by writer and digest
  std::map<std::pair<std::string, base::Digest>, Loaded> loaded_;
  std::vector<std::uint64_t> unattended_;
};

// 0 where there is none.
std::uint64_t number_in(std::string_view text);

}  // namespace proxy::replay
