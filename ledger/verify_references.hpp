#pragma once
// What a record says about earlier ones: where `answers` points, whether that fits its type, whether an ask
// may be released, which grants let a call pass, and operator signatures (FORMAT.md).

#include <optional>
#include <vector>

#include "ledger/database.hpp"
#include "ledger/fold.hpp"
#include "ledger/verify_findings.hpp"

namespace ledger {

class References {
 public:
  References(const Database& database, Findings& findings) : database_(database), findings_(findings) {}

  // In order of the records; `state` is the fold before this record. remember() comes after.
  base::Result<void> check(const Record& record, const Fold& state);
  void remember(const Record& record, const base::Digest& leaf);

 private:
  struct Earlier {
    std::uint64_t sequence = 0;
    base::Digest leaf{};
    Type type = Type::genesis;
    bool ask = false;    // a decision ASK that opened an ask of its own
    bool grant = false;  // one that was given, and not the taking back of one
    std::string mission, server;
    std::optional<base::Digest> call;
  };
  static Earlier earlier_of(const Record& record, const base::Digest& leaf);
  // nullopt: there is none.
  base::Result<std::optional<Earlier>> find(std::uint64_t sequence);
  void check_answer(const Record& record, const Earlier& decision, const Fold& state);
  void check_grant(const Record& record, const Earlier& target, const Fold& state);
  void check_granted(const Record& record, const Fold& state);
  void check_hold(const Record& record, const Fold& state);
  void check_rotation(const Record& record, const Fold& state);
  void check_trust(const Record& record, const Fold& state);
  void check_state(const Record& record, const Fold& state);

  // Most references point a short way back; those further back are read from the database.
  static constexpr std::size_t recent_records = 4096;
  const Database& database_;
  Findings& findings_;
  std::vector<std::optional<Earlier>> recent_{recent_records};
  Statement lookup_;
  bool prepared_ = false;
};

}  // namespace ledger
