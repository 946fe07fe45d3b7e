#include "ledger/verify_records.hpp"

#include <algorithm>

#include "ledger/body.hpp"
#include "ledger/columns.hpp"
#include "ledger/payload.hpp"
#include "ledger/schema.hpp"
#include "ledger/verify_references.hpp"
#include "proxy/base/text.hpp"

namespace ledger {
namespace {

std::optional<std::string> text_or_null(const Statement& row, int column) {
  return row.is_null(column) ? std::nullopt : std::optional<std::string>(row.text(column));
}

std::optional<std::int64_t> integer_or_null(const Statement& row, int column) {
  return row.is_null(column) ? std::nullopt : std::optional(row.integer(column));
}

Columns columns_in(const Statement& row) {
  Columns columns;
  columns.time = row.integer(3);
  columns.type = row.text(4);
  columns.mission = text_or_null(row, 5);
  columns.call = integer_or_null(row, 6);
  columns.answers = integer_or_null(row, 7);
  columns.server = text_or_null(row, 8);
  columns.tool = text_or_null(row, 9);
  columns.decision = text_or_null(row, 10);
  columns.status = text_or_null(row, 11);
  return columns;
}

const char* differing(const Columns& there, const Columns& right) {
  if (there.time != right.time) return "time";
  if (there.type != right.type) return "type";
  if (there.mission != right.mission) return "mission";
  if (there.call != right.call) return "call";
  if (there.answers != right.answers) return "answers";
  if (there.server != right.server) return "server";
  if (there.tool != right.tool) return "tool";
  if (there.decision != right.decision) return "decision";
  if (there.status != right.status) return "status";
  return nullptr;
}

// The payload table beside the records: both are in order of the sequence.
class Payloads {
 public:
  Payloads(Statement rows, Report& report, Findings& findings)
      : rows_(std::move(rows)), report_(report), findings_(findings) {}

  // Of the record `sequence`, and all before it that belong to none.
  base::Result<void> check(std::uint64_t sequence, const std::vector<Commitment>& commitments) {
    for (std::size_t position = 0; position < commitments.size(); ++position) {
      const std::int64_t id = schema::payload_id(sequence, position);
      if (auto skipped = skip_to(id); !skipped) return skipped;
      if (!there_ || rows_.integer(0) != id) {
        findings_.add(sequence, "payload " + base::quoted(commitments[position].slot) + " is missing");
        continue;
      }
      check_row(sequence, commitments[position]);
      if (auto moved = next(); !moved) return moved;
    }
    return {};
  }

  base::Result<void> finish() { return skip_to(INT64_MAX); }

 private:
  base::Result<void> next() {
    auto row = rows_.step();
    if (!row) return row.error();
    there_ = *row;
    begun_ = true;
    return {};
  }

  base::Result<void> skip_to(std::int64_t id) {
    if (!begun_)
      if (auto first = next(); !first) return first;
    while (there_ && rows_.integer(0) < id) {
      const std::int64_t own = rows_.integer(0);
      if (own < 0)
        findings_.add("a payload row belongs to no record");
      else
        findings_.add(static_cast<std::uint64_t>(own) / profile::payloads_max,
                      "a payload row stands without a commitment");
      if (auto moved = next(); !moved) return moved;
    }
    return {};
  }

  void check_row(std::uint64_t sequence, const Commitment& commitment) {
    const std::string what = "payload " + base::quoted(commitment.slot);
    const std::int64_t codec = rows_.integer(3);
    if (rows_.text(1) != commitment.slot || !rows_.is_null(5) || codec < 0 || codec > 1 ||
        rows_.blob(2).size() != payload::salt_bytes) {
      findings_.add(sequence, what + " has a wrong slot, salt, codec or reference");
      return;
    }
    const StoredPayload stored{commitment.slot, std::string(rows_.blob(2)), static_cast<int>(codec),
                               rows_.integer(4), std::string(rows_.blob(6))};
    const auto bytes = payload::unpack(stored);
    if (!bytes) {
      findings_.add(sequence, what + " cannot be read: " + bytes.error().message());
    } else if (payload::commit(commitment.slot, stored.salt, *bytes) != commitment) {
      findings_.add(sequence, what + " does not match its commitment");
    } else {
      ++report_.payloads;
    }
  }

  Statement rows_;
  Report& report_;
  Findings& findings_;
  bool begun_ = false;
  bool there_ = false;
};

// The chain, one row after another.
class Chain {
 public:
  Chain(const Database& database, const std::optional<Reference>& mark, Report& report, Findings& findings)
      : mark_(mark), report_(report), findings_(findings), references_(database, findings) {}

  base::Result<void> check(const Statement& row, Payloads& payloads) {
    const std::int64_t raw = row.integer(0);
    if (raw < 0) {
      findings_.add("a row has a negative sequence");
      return {};
    }
    const auto sequence = static_cast<std::uint64_t>(raw);
    if (sequence != expected_)
      findings_.add(sequence, "records " + std::to_string(expected_) + " to " + std::to_string(sequence - 1) +
                                  " are missing");
    expected_ = sequence + 1;
    ++report_.records;
    read_.head = sequence;
    const std::string_view body = row.blob(1);
    const base::Digest leaf = leaf_of(body);
    report_.head = {sequence, leaf};
    if (row.blob(2) != base::bytes_of(leaf)) findings_.add(sequence, "the leaf is not that of the body");
    if (mark_ && mark_->sequence == sequence) {
      read_.leaf_at_mark.emplace();
      if (row.blob(2).size() == leaf.size())
        std::copy_n(row.blob(2).begin(), leaf.size(), read_.leaf_at_mark->begin());
    }
    auto record = decode(body);
    if (!record) {
      findings_.add(sequence, "the body is refused: " + base::printable(record.error().text()));
      previous_ = leaf;
      return {};
    }
    check_body(sequence, *record, body);
    if (const char* column = differing(columns_in(row), columns_of(*record)))
      findings_.add(sequence, std::string("the derived column `") + column + "` differs from the body");
    if (auto checked = references_.check(*record, read_.state); !checked) return checked;
    note_clock(*record);
    references_.remember(*record, leaf);
    read_.state.apply(*record, leaf);
    previous_ = leaf;
    return payloads.check(sequence, record->payloads);
  }

  RecordsRead take() { return std::move(read_); }

 private:
  void check_body(std::uint64_t sequence, const Record& record, std::string_view body) {
    const auto again = encode(record);
    if (!again || *again != body) findings_.add(sequence, "the body is not what its record encodes to");
    if (record.sequence != sequence) findings_.add(sequence, "the body states another sequence");
    if (record.previous != previous_) findings_.add(sequence, "`previous` is not the leaf before");
    if ((record.type == Type::genesis) != (sequence == 0))
      findings_.add(sequence, sequence == 0 ? "the first record is not genesis" : "a second genesis");
    if (sequence == 0) check_genesis(record);
    if (report_.ledger.empty()) report_.ledger = record.ledger;
    if (record.ledger != report_.ledger) findings_.add(sequence, "the record belongs to another ledger");
    if (record.type == Type::degraded)
      if (const auto reason = record.details.find("reason");
          reason != record.details.end() && reason->second == "loss_adopted")
        findings_.note(sequence, "the operator adopted a loss here: records before it may be gone");
  }

  void check_genesis(const Record& record) {
    const auto format = record.details.find("format");
    if (format == record.details.end() || format->second != std::to_string(schema::user_version))
      findings_.add(0, "genesis states another format");
    const auto key = record.details.find("operator_key");
    if (key == record.details.end() || !base::digest_from_hex(key->second))
      findings_.add(0, "genesis holds no operator key");
  }

  void note_clock(const Record& record) {
    if (record.boot == boot_ && record.monotonic < monotonic_)
      findings_.note(record.sequence, "the monotonic clock stepped back within one boot");
    if (record.time < time_) findings_.note(record.sequence, "the wall clock stepped back");
    boot_ = record.boot;
    monotonic_ = record.monotonic;
    time_ = record.time;
  }

  const std::optional<Reference>& mark_;
  Report& report_;
  Findings& findings_;
  References references_;
  RecordsRead read_;
  std::uint64_t expected_ = 0;
  base::Digest previous_{};
  std::string boot_;
  std::int64_t monotonic_ = 0;
  std::int64_t time_ = 0;
};

constexpr std::uint64_t progress_every = 4096;  // records

base::Result<void> read_all(const Database& database, Chain& chain, Report& report, Findings& findings,
                            const decltype(VerifyOptions::progress)& progress) {
  std::uint64_t all = 0;
  if (progress) {
    const auto records = database.integer("SELECT coalesce(max(sequence), -1) + 1 FROM record");
    if (!records) return records.error();
    all = static_cast<std::uint64_t>(*records);
  }

  auto rows = database.prepare(
      "SELECT sequence, body, leaf, time, type, mission, call, answers, server, tool, decision, status FROM "
      "record "
      "ORDER BY sequence");
  if (!rows) return rows.error();
  auto payload_rows =
      database.prepare("SELECT id, slot, salt, codec, key, same, bytes FROM payload ORDER BY id");
  if (!payload_rows) return payload_rows.error();
  Payloads payloads(std::move(*payload_rows), report, findings);
  for (;;) {
    const auto row = rows->step();
    if (!row) return row.error();
    if (!*row) break;
    if (auto checked = chain.check(*rows, payloads); !checked) return checked;
    if (progress && report.records % progress_every == 0) progress(report.records, all);
  }
  return payloads.finish();
}

}  // namespace

base::Result<RecordsRead> check_records(const Database& database, const std::optional<Reference>& mark,
                                        Report& report, Findings& findings,
                                        const decltype(VerifyOptions::progress)& progress) {
  Chain chain(database, mark, report, findings);
  if (auto read = read_all(database, chain, report, findings, progress); !read) {
    if (read.error().code() != base::Code::invalid) return read.error();
    findings.add(report.records == 0 ? Finding::no_record : report.head.sequence,
                 "the database is damaged from here on: " + base::printable(read.error().message()));
  }
  return chain.take();
}

}  // namespace ledger
