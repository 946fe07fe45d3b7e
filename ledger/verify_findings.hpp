#pragma once
// Findings as they come: bounded in number, counted in full.

#include "ledger/verify.hpp"

namespace ledger {

class Findings {
 public:
  Findings(Report& report, std::size_t findings_max) : report_(report), findings_max_(findings_max) {}

  void add(Kind kind, std::uint64_t sequence, std::string what) {
    if (report_.findings.size() < findings_max_)
      report_.findings.push_back({sequence, std::move(what), kind});
    ++report_.findings_count;
    if (!report_.kind || kind < *report_.kind) report_.kind = kind;
  }
  void add(Kind kind, std::string what) { add(kind, Finding::no_record, std::move(what)); }
  void note(std::uint64_t sequence, std::string what) {
    if (report_.notes.size() < findings_max_) report_.notes.push_back({sequence, std::move(what)});
    ++report_.notes_count;
  }

 private:
  Report& report_;
  std::size_t findings_max_;
};

}  // namespace ledger
