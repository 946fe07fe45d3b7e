#pragma once
// Payloads that are gone against the purges and erasures on record: each must be accounted for by one that
// was signed, over no hold, with a checkpoint that signs what it took.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ledger/custody.hpp"
#include "ledger/fold.hpp"
#include "ledger/verify_findings.hpp"

namespace ledger {

class Removals {
 public:
  Removals(Report& report, Findings& findings) : report_(report), findings_(findings) {}

  // Of each record in order, before what it may be a removal of itself is looked at. `state`: before this
  // record. `signed_sizes`: of the checkpoints so far.
  void add(const Record& record, const Fold& state, const std::set<std::uint64_t>& signed_sizes);
  // These slots of the record have no row.
  void missing(const Record& record, const std::vector<std::string>& slots);
  void finish();

 private:
  struct Mission {
    std::set<std::string> agents;
    std::int64_t first_time = 0, last_time = 0;
  };
  // A record that lacks payloads.
  struct Missing {
    std::uint64_t sequence = 0;
    std::int64_t time = 0;
    std::size_t count = 0;           // of them
    std::vector<std::string> slots;  // none: all that it had
  };
  struct Account {
    Removal removal;
    std::uint64_t record = 0;
  };
  bool is_right(const Record& record, const Removal& removal, const Fold& state,
                const std::set<std::uint64_t>& signed_sizes);
  bool is_accounted(const std::string& mission, const Missing& missing) const;

  Report& report_;
  Findings& findings_;
  std::map<std::string, Mission> missions_;
  std::map<std::string, std::vector<Missing>> missing_;    // by mission
  std::map<std::string, std::vector<Account>> accounts_;   // by mission
  std::map<std::uint64_t, std::set<std::string>> erased_;  // slots by record
};

}  // namespace ledger
