// callgate ledger verify: the report of ledger::verify for people and machines. Never a bare OK.

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "ledger/verify.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/ledger_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/commands/verified.hpp"

namespace proxy::commands {
namespace {

using ledger::Finding;
using ledger::Report;

void print_findings(const char* word, const std::vector<Finding>& findings, std::uint64_t count) {
  for (const Finding& finding : findings) {
    if (finding.sequence == Finding::no_record)
      std::printf("%s: %s\n", word, base::printable(finding.what, 500).c_str());
    else
      std::printf("%s: record %llu: %s\n", word, static_cast<unsigned long long>(finding.sequence),
                  base::printable(finding.what, 500).c_str());
  }
  if (count > findings.size())
    std::printf("%s: … and %llu more\n", word, static_cast<unsigned long long>(count - findings.size()));
}

void print_text(const Report& report) {
  std::printf("%s: %llu records, %llu payloads", name(report.level),
              static_cast<unsigned long long>(report.records),
              static_cast<unsigned long long>(report.payloads));
  if (report.records > 0)
    std::printf(", head %llu (leaf %s)", static_cast<unsigned long long>(report.head.sequence),
                base::hex(report.head.leaf).c_str());
  std::printf("\n");
  if (!report.ledger.empty()) std::printf("ledger: %s\n", base::printable(report.ledger).c_str());
  if (!report.loss.empty()) std::printf("loss: %s\n", report.loss.c_str());
  print_findings("finding", report.findings, report.findings_count);
  print_findings("note", report.notes, report.notes_count);
  std::printf(
      "could be dropped or rewritten unnoticed: %s, by whoever can write the ledger's files "
      "(no checkpoint is signed or anchored elsewhere)\n",
      report.unproven.c_str());
}

nlohmann::ordered_json list_of(const std::vector<Finding>& findings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    nlohmann::ordered_json entry;
    if (finding.sequence != Finding::no_record) entry["sequence"] = finding.sequence;
    entry["what"] = base::printable(finding.what, 500);
    list.push_back(std::move(entry));
  }
  return list;
}

void print_json(const Report& report) {
  nlohmann::ordered_json out = {{"level", name(report.level)},
                                {"ledger", base::printable(report.ledger)},
                                {"records", report.records},
                                {"payloads", report.payloads}};
  if (report.records > 0)
    out["head"] = {{"sequence", report.head.sequence}, {"leaf", base::hex(report.head.leaf)}};
  if (!report.loss.empty()) out["loss"] = report.loss;
  out["findings"] = list_of(report.findings);
  out["findings_count"] = report.findings_count;
  out["notes"] = list_of(report.notes);
  out["notes_count"] = report.notes_count;
  out["unproven"] = report.unproven;
  std::printf("%s\n", out.dump(2).c_str());
}

}  // namespace

int verify_ledger(const ledger::Place& place, bool json) {
  const auto report = verified(place);
  if (!report) return fail(report.error(), report.error().code() == base::Code::not_found ? 1 : 4);
  if (json)
    print_json(*report);
  else
    print_text(*report);
  return exit_of(report->level);
}

}  // namespace proxy::commands
