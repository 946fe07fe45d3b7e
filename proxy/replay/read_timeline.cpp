#include "proxy/replay/read_timeline.hpp"

#include <algorithm>

#include "proxy/replay/build_timeline.hpp"

namespace proxy::replay {
namespace {

base::Result<Payloads> payloads_of(const ledger::Reader& reader, const ledger::StoredRecord& stored,
                                   bool results) {
  Payloads payloads;
  for (const std::string_view slot : TimelineBuilder::slots(stored.record, results)) {
    const auto& all = stored.record.payloads;
    if (std::none_of(all.begin(), all.end(), [&](const auto& each) { return each.slot == slot; })) continue;
    auto bytes = reader.payload(stored, slot);
    // Damaged: the findings say so, and the rest is shown.
    if (!bytes && bytes.error().code() != base::Code::invalid) return bytes.error();
    payloads.emplace(slot, bytes ? std::move(*bytes) : std::nullopt);
  }
  return payloads;
}

}  // namespace

base::Result<Timeline> read_timeline(const ledger::Reader& reader, const MissionSpan& span,
                                     const ledger::Report& report, const ReadOptions& options) {
  TimelineBuilder builder(span);
  base::Result<void> failed;
  const auto scanned = reader.scan(span.first, ~std::uint64_t{0}, [&](const ledger::StoredRecord& stored) {
    if (stored.record.sequence > span.last) return false;
    if (!builder.concerns(stored.record)) return true;
    auto payloads = payloads_of(reader, stored, options.results);
    if (payloads)
      builder.add(stored.record, *payloads);
    else
      failed = payloads.error();
    return failed.has_value();
  });
  if (!scanned) return scanned.error();
  if (!failed) return failed.error();
  for (const ledger::Finding& note : report.notes)
    if (note.sequence <= span.last && note.sequence >= span.first) builder.note(note.sequence, note.what);
  return builder.take();
}

}  // namespace proxy::replay
