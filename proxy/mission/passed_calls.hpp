#pragma once
// The calls of a mission that passed, as its records tell, counted for the tallies of one policy. Pure: apply
// every record in order. What a call is counted for, its own process has written down (ledger/FORMAT.md).

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ledger/record.hpp"
#include "policy/history.hpp"
#include "proxy/base/sha256.hpp"

namespace proxy {

// `a b c`, as details have it.
std::string tallies_text(const std::vector<std::string>& ids);
std::set<std::string> tallies_from_text(std::string_view text);

// One bit for each kind of effect that is named.
unsigned effect_bits(const std::vector<std::string>& kinds);

class PassedCalls {
 public:
  PassedCalls(std::string mission, std::vector<policy::Tally> tallies);

  void apply(const ledger::Record& record);
  // The call, by its decision, was answered without an error, which may not be on record yet.
  void answered(std::uint64_t decision);

  policy::History& history() { return history_; }
  const std::vector<policy::Tally>& tallies() const { return tallies_; }

 private:
  // What is known of a call that may pass: the tallies it adds to, certainly or perhaps.
  struct Adds {
    std::vector<std::pair<std::size_t, bool>> tallies;  // index, certain
  };
  Adds adds_of(const ledger::Record& decision) const;
  void decide(const ledger::Record& decision);
  void pass(std::uint64_t decision, std::int64_t time, const Adds& adds);
  void count_certain(std::uint64_t decision, std::int64_t time, const Adds& adds);
  void end(const ledger::Record& outcome);

  std::string mission_;
  std::vector<policy::Tally> tallies_;
  policy::History history_;
  std::map<base::Digest, std::set<std::string>> policies_;  // of the mission: the tallies they keep
  std::map<std::uint64_t, Adds> asks_;                      // that may be released
  std::map<std::uint64_t, std::uint64_t> joined_;           // decision → the ask that it joined
  std::map<std::uint64_t, std::pair<std::int64_t, Adds>> unanswered_;  // passed, for certain tallies
  std::set<std::uint64_t> answered_;                                   // before they were seen to pass
};

}  // namespace proxy
