#include "ledger/verify_payloads.hpp"

#include "ledger/schema.hpp"
#include "proxy/base/text.hpp"

namespace ledger {

base::Result<Payloads> Payloads::open(const Database& database, base::Result<std::string> wrapping_key,
                                      Removals& removals, Report& report, Findings& findings) {
  auto rows = database.prepare("SELECT id, slot, salt, codec, key, same, bytes FROM payload ORDER BY id");
  if (!rows) return rows.error();
  return Payloads(database, std::move(*rows), std::move(wrapping_key), removals, report, findings);
}

Payloads::Payloads(const Database& database, Statement rows, base::Result<std::string> wrapping_key,
                   Removals& removals, Report& report, Findings& findings)
    : database_(database),
      rows_(std::move(rows)),
      opener_(database, std::move(wrapping_key)),
      removals_(removals),
      report_(report),
      findings_(findings) {}

base::Result<void> Payloads::check(const Record& record) {
  std::vector<std::string> missing;
  for (std::size_t position = 0; position < record.payloads.size(); ++position) {
    const std::int64_t id = schema::payload_id(record.sequence, position);
    if (auto skipped = skip_to(id); !skipped) return skipped;
    if (!there_ || rows_.integer(0) != id) {
      missing.push_back(record.payloads[position].slot);
      continue;
    }
    if (auto checked = check_row(record, record.payloads[position]); !checked) return checked;
    if (auto moved = next(); !moved) return moved;
  }
  if (!missing.empty()) removals_.missing(record, missing);
  return {};
}

base::Result<void> Payloads::next() {
  auto row = rows_.step();
  if (!row) return row.error();
  there_ = *row;
  begun_ = true;
  return {};
}

base::Result<void> Payloads::skip_to(std::int64_t id) {
  if (!begun_)
    if (auto first = next(); !first) return first;
  while (there_ && rows_.integer(0) < id) {
    const std::int64_t own = rows_.integer(0);
    if (own < 0)
      findings_.add(Kind::altered, "a payload row belongs to no record");
    else
      findings_.add(Kind::altered, static_cast<std::uint64_t>(own) / profile::payloads_max,
                    "a payload row stands without a commitment");
    if (auto moved = next(); !moved) return moved;
  }
  return {};
}

base::Result<void> Payloads::check_row(const Record& record, const Commitment& commitment) {
  const auto bytes = opener_.open(stored_payload(rows_), rows_.integer(0), commitment, record.mission);
  if (bytes) {
    ++report_.payloads;
    return {};
  }
  if (bytes.error().code() == base::Code::unavailable) {
    ++unopened_;
    why_unopened_ = bytes.error().message();
    return {};
  }
  if (bytes.error().code() != base::Code::invalid && bytes.error().code() != base::Code::limit)
    return bytes.error();
  findings_.add(Kind::altered, record.sequence,
                "payload " + base::quoted(commitment.slot) + ": " + bytes.error().message());
  return {};
}

base::Result<void> Payloads::finish() {
  if (auto skipped = skip_to(INT64_MAX); !skipped) return skipped;
  if (unopened_ == 0) return check_keys();
  findings_.add(Kind::history, std::to_string(unopened_) + " payloads cannot be opened: " + why_unopened_);
  return {};
}

base::Result<void> Payloads::check_keys() {
  auto keys = database_.prepare("SELECT id, mission FROM cipher ORDER BY id");
  if (!keys) return keys.error();
  for (;;) {
    const auto row = keys->step();
    if (!row) return row.error();
    if (!*row) return {};
    // Keys of no mission stay when what they sealed goes.
    if (!opener_.keys().contains(keys->integer(0)) && !keys->text(1).empty())
      findings_.add(Kind::altered, "key " + std::to_string(keys->integer(0)) + " of mission " +
                                       base::quoted(keys->text(1), 100) + " seals no payload");
  }
}

}  // namespace ledger
