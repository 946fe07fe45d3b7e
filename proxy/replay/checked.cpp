#include "proxy/replay/checked.hpp"

#include <algorithm>

namespace proxy::replay {

Checked checked_of(const ledger::Report& report, const MissionSpan& span, std::uint64_t last_record) {
  Checked checked{
      .level = report.level, .records = report.records, .loss = report.loss, .unproven = report.unproven};
  for (const ledger::Finding& each : report.findings)
    if (each.sequence == ledger::Finding::no_record ||
        (each.sequence >= span.first && each.sequence <= last_record))
      checked.here.push_back(each);
  checked.elsewhere = report.findings.size() - checked.here.size();
  checked.not_listed = report.findings_count - report.findings.size();
  return checked;
}

std::uint64_t last_record(const Timeline& timeline) {
  std::uint64_t last = timeline.span.first;
  for (const Entry& entry : timeline.entries) {
    if (record_of(entry) > last) last = record_of(entry);
    if (const Call* call = std::get_if<Call>(&entry); call != nullptr && call->answer)
      last = std::max(last, call->answer->record);
  }
  return last;
}

}  // namespace proxy::replay
