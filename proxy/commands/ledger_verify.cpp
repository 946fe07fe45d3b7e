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
#include "proxy/setup/open_ledger.hpp"
#include "proxy/setup/surroundings.hpp"

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

// What is signed, what others hold, and what neither covers.
void print_proof(const Report& report) {
  const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
  if (report.signed_size > 0)
    std::printf("signed: records 0 to %llu, by %llu checkpoints; first key %s (%s)\n",
                number(report.signed_size - 1), number(report.checkpoints), report.first_key.c_str(),
                report.pinned ? "pinned" : "not pinned: whoever wrote the ledger may have made it");
  for (const Report::Anchor& anchor : report.anchors) {
    const std::string name = base::quoted(anchor.name, 200);
    if (anchor.size > 0)
      std::printf("anchor %s: holds a checkpoint of records 0 to %llu\n", name.c_str(),
                  number(anchor.size - 1));
    else
      std::printf("anchor %s: proves nothing: %s\n", name.c_str(),
                  anchor.trouble.empty() ? "it holds no checkpoint of this ledger"
                                         : base::printable(anchor.trouble, 500).c_str());
  }
  if (report.unproven.empty())
    std::printf(
        "could be dropped or rewritten unnoticed: nothing, by who has neither the key nor the anchors\n");
  else
    std::printf("could be dropped or rewritten unnoticed: %s, by whoever can write the ledger's files%s\n",
                report.unproven.c_str(), report.level == Report::Level::anchored ? " and has its key" : "");
}

std::string title(const Report& report) {
  std::string title = name(report.level);
  if (report.level == Report::Level::anchored) title += "(" + std::to_string(report.anchored()) + ")";
  if (report.level == Report::Level::inconsistent && report.kind)
    title += std::string(" (") + name(*report.kind) + ")";
  return title;
}

void print_text(const Report& report) {
  std::printf("%s: %llu records, %llu payloads", title(report).c_str(),
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
  print_proof(report);
}

nlohmann::ordered_json list_of(const std::vector<Finding>& findings, bool kinds) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    nlohmann::ordered_json entry;
    if (finding.sequence != Finding::no_record) entry["sequence"] = finding.sequence;
    if (kinds) entry["kind"] = name(finding.kind);
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
  out["findings"] = list_of(report.findings, true);
  out["findings_count"] = report.findings_count;
  out["notes"] = list_of(report.notes, false);
  out["notes_count"] = report.notes_count;
  if (report.kind) out["kind"] = name(*report.kind);
  out["checkpoints"] = report.checkpoints;
  out["signed"] = report.signed_size;
  out["pinned"] = report.pinned;
  out["first_key"] = report.first_key;
  out["anchors"] = nlohmann::ordered_json::array();
  for (const Report::Anchor& anchor : report.anchors)
    out["anchors"].push_back({{"name", base::printable(anchor.name, 500)},
                              {"signed", anchor.size},
                              {"trouble", base::printable(anchor.trouble, 500)}});
  out["unproven"] = report.unproven;
  std::printf("%s\n", out.dump(2).c_str());
}

}  // namespace

int verify_ledger(const LedgerVerify& options) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error(), exit_unreadable);
  auto pins = verify_options(*here);
  if (!pins) return fail(pins.error(), exit_unreadable);
  if (!options.key.empty()) {
    const auto key = ledger::read_verifier_key(options.key);
    if (!key) return fail({base::Code::invalid, "--key: not the verifier key of a ledger"}, exit_usage);
    pins->pins = {*key};
  }
  if (!options.offline) {
    auto anchors = read_anchors(*here);
    if (!anchors) return fail(anchors.error(), exit_unreadable);
    pins->anchors = std::move(*anchors);
  }
  const auto report = verified(*here, std::move(*pins));
  if (!report)
    return fail(report.error(), report.error().code() == base::Code::not_found ? 1 : exit_unreadable);
  if (options.json)
    print_json(*report);
  else
    print_text(*report);
  const int exit = exit_of(*report, options.required);
  if (exit == exit_below)
    complain(std::string("nothing was found wrong, but less is proven than asked for: ") +
             name(report->level) + ", not " + name(options.required));
  return exit;
}

}  // namespace proxy::commands
