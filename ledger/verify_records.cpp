#include "ledger/verify_records.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "ledger/body.hpp"
#include "ledger/columns.hpp"
#include "ledger/schema.hpp"
#include "ledger/sealer.hpp"
#include "ledger/verify_checkpoints.hpp"
#include "ledger/verify_payloads.hpp"
#include "ledger/verify_references.hpp"
#include "proxy/base/text.hpp"

namespace ledger {
namespace {

std::optional<std::string_view> text_or_null(const Statement& row, int column) {
  return row.is_null(column) ? std::nullopt : std::optional(row.text(column));
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

// The chain, one row after another.
class Chain {
 public:
  Chain(const Snapshot& snapshot, Checkpoints& checkpoints, Removals& removals, Report& report,
        Findings& findings)
      : mark_(snapshot.mark),
        checkpoints_(checkpoints),
        removals_(removals),
        report_(report),
        findings_(findings),
        references_(*snapshot.database, findings) {}

  base::Result<void> check(const Statement& row, Payloads& payloads) {
    const std::int64_t raw = row.integer(0);
    if (raw < 0) {
      findings_.add(Kind::chain, "a row has a negative sequence");
      return {};
    }
    const auto sequence = static_cast<std::uint64_t>(raw);
    if (sequence != expected_)
      findings_.add(
          Kind::chain, sequence,
          "records " + std::to_string(expected_) + " to " + std::to_string(sequence - 1) + " are missing");
    expected_ = sequence + 1;
    ++report_.records;
    read_.head = sequence;
    const std::string_view body = row.blob(1);
    const Leaf leaf = leaf_in(row, body);
    report_.head = {sequence, leaf.computed};
    if (leaf.stored != leaf.computed)
      findings_.add(Kind::altered, sequence, "the leaf is not that of the body");
    if (mark_ && mark_->sequence == sequence) read_.leaf_at_mark = leaf.stored;
    auto record = decode(body);
    if (auto passed = pass(record ? &record->previous : nullptr); !passed) return passed;
    last_ = leaf;
    if (record) last_->mission = record->mission;
    if (!record) {
      findings_.add(Kind::altered, sequence,
                    "the body is refused: " + base::printable(record.error().text()));
      return {};
    }
    check_body(sequence, *record, body);
    if (const char* column = differing(columns_in(row), columns_of(*record)))
      findings_.add(Kind::altered, sequence,
                    std::string("the derived column `") + column + "` differs from the body");
    if (auto checked = references_.check(*record, read_.state); !checked) return checked;
    removals_.add(*record, read_.state, checkpoints_.sizes());
    note_clock(*record);
    references_.remember(*record, leaf.computed);
    read_.state.apply(*record, leaf.computed);
    // Of a record that was moved nothing is known to be gone: its payloads stay where it was.
    if (record->sequence != sequence) return {};
    return payloads.check(*record);
  }

  base::Result<void> finish() {
    if (auto passed = pass(nullptr); !passed) return passed;
    return checkpoints_.finish();
  }

  RecordsRead take() { return std::move(read_); }

 private:
  struct Leaf {
    base::Digest computed{}, stored{};
    std::string mission;
  };

  static Leaf leaf_in(const Statement& row, std::string_view body) {
    Leaf leaf{leaf_of(body), {}, {}};
    const std::string_view stored = row.blob(2);
    if (stored.size() == leaf.stored.size()) std::copy_n(stored.begin(), stored.size(), leaf.stored.begin());
    return leaf;
  }

  // The record before the present one, whose `previous` is this: nullptr, there is none that can be read.
  // Where body and leaf differ, what the next record says is the leaf is what the chain goes on from.
  base::Result<void> pass(const base::Digest* previous) {
    const std::optional<Leaf> last = std::exchange(last_, std::nullopt);
    if (!last) {
      if (previous != nullptr && *previous != base::Digest{})
        findings_.add(Kind::chain, read_.head.value_or(0), "`previous` is not the leaf before");
      return {};
    }
    if (previous != nullptr && *previous != last->computed && *previous != last->stored)
      findings_.add(Kind::chain, *read_.head, "`previous` is not the leaf before");
    const bool as_stored = previous == nullptr ? false : *previous == last->stored;
    const auto key = read_.state.checkpoint_key().value_or("");
    return checkpoints_.add(as_stored ? last->stored : last->computed, key, last->mission);
  }

  void check_body(std::uint64_t sequence, const Record& record, std::string_view body) {
    const auto again = encode(record);
    if (!again || *again != body)
      findings_.add(Kind::altered, sequence, "the body is not what its record encodes to");
    if (record.sequence != sequence) findings_.add(Kind::chain, sequence, "the body states another sequence");
    if ((record.type == Type::genesis) != (sequence == 0))
      findings_.add(Kind::chain, sequence,
                    sequence == 0 ? "the first record is not genesis" : "a second genesis");
    if (sequence == 0) check_genesis(record);
    if (report_.ledger.empty()) report_.ledger = record.ledger;
    if (record.ledger != report_.ledger)
      findings_.add(Kind::chain, sequence, "the record belongs to another ledger");
    if (record.type == Type::key_rotation) checkpoints_.require_checkpoint();
    if (record.type == Type::degraded && record.detail("reason") == "loss_adopted") adopted(record);
  }

  void adopted(const Record& record) {
    findings_.note(record.sequence, "the operator adopted a loss here: records before it may be gone");
    const auto number = [&](const char* key) {
      const std::string text = record.detail(key);
      std::uint64_t value = 0;
      std::from_chars(text.data(), text.data() + text.size(), value);
      return value;
    };
    checkpoints_.adopted_loss(number("head_sequence"), number("mark_sequence"));
  }

  void check_genesis(const Record& record) {
    if (record.detail("format") != std::to_string(schema::user_version))
      findings_.add(Kind::history, 0, "genesis states another format");
    if (!base::digest_from_hex(record.detail("operator_key")))
      findings_.add(Kind::history, 0, "genesis holds no operator key");
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
  Checkpoints& checkpoints_;
  Removals& removals_;
  Report& report_;
  Findings& findings_;
  References references_;
  RecordsRead read_;
  std::uint64_t expected_ = 0;
  std::optional<Leaf> last_;  // of the record before
  std::string boot_;
  std::int64_t monotonic_ = 0;
  std::int64_t time_ = 0;
};

constexpr std::uint64_t progress_every = 4096;  // records

base::Result<void> read_all(const Snapshot& snapshot, const VerifyOptions& options, Chain& chain,
                            Removals& removals, Report& report, Findings& findings) {
  const Database& database = *snapshot.database;
  std::uint64_t all = 0;
  if (options.progress) {
    const auto records = database.integer("SELECT coalesce(max(sequence), -1) + 1 FROM record");
    if (!records) return records.error();
    all = static_cast<std::uint64_t>(*records);
  }
  auto rows = database.prepare(
      "SELECT sequence, body, leaf, time, type, mission, call, answers, server, tool, decision, status FROM "
      "record ORDER BY sequence");
  if (!rows) return rows.error();
  auto payloads =
      Payloads::open(database, payloads_key_file(snapshot.folder).load(), removals, report, findings);
  if (!payloads) return payloads.error();
  for (;;) {
    const auto row = rows->step();
    if (!row) return row.error();
    if (!*row) break;
    if (auto checked = chain.check(*rows, *payloads); !checked) return checked;
    if (options.progress && report.records % progress_every == 0) options.progress(report.records, all);
  }
  if (auto finished = chain.finish(); !finished) return finished;
  if (auto finished = payloads->finish(); !finished) return finished;
  removals.finish();
  return {};
}

}  // namespace

base::Result<RecordsRead> check_records(const Snapshot& snapshot, const VerifyOptions& options,
                                        Report& report, Findings& findings) {
  auto checkpoints = Checkpoints::open(*snapshot.database, options, report, findings);
  if (!checkpoints) return checkpoints.error();
  Removals removals(report, findings);
  Chain chain(snapshot, *checkpoints, removals, report, findings);
  if (auto read = read_all(snapshot, options, chain, removals, report, findings); !read) {
    if (read.error().code() != base::Code::invalid) return read.error();
    findings.add(Kind::altered, report.records == 0 ? Finding::no_record : report.head.sequence,
                 "the database is damaged from here on: " + base::printable(read.error().message()));
  }
  RecordsRead read = chain.take();
  read.loss = checkpoints->loss();
  return read;
}

}  // namespace ledger
