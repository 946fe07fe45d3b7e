#include "ledger/store.hpp"

#include <sqlite3.h>

#include <algorithm>

#include "ledger/body.hpp"
#include "ledger/columns.hpp"
#include "ledger/fold_store.hpp"
#include "ledger/schema.hpp"
#include "proxy/base/check.hpp"
#include "proxy/base/clock.hpp"

namespace ledger {
namespace {

constexpr std::uint64_t prompt_records_max = 32;  // of other writers, folded without a thought

base::Error damaged(std::uint64_t sequence, std::string_view what) {
  return {base::Code::invalid, "record " + std::to_string(sequence) + " of the ledger " + std::string(what)};
}

base::Digest digest_of(std::string_view bytes) {
  base::Digest digest{};
  if (bytes.size() == digest.size()) std::copy(bytes.begin(), bytes.end(), digest.begin());
  return digest;
}

void bind_columns(Statement& into, const Columns& columns) {
  const auto text = [&](int parameter, const std::optional<std::string>& value) {
    if (value) into.bind_text(parameter, *value);
  };
  into.bind_integer(4, columns.time);
  into.bind_text(5, columns.type);
  text(6, columns.mission);
  if (columns.call) into.bind_integer(7, *columns.call);
  if (columns.answers) into.bind_integer(8, *columns.answers);
  text(9, columns.server);
  text(10, columns.tool);
  text(11, columns.decision);
  text(12, columns.status);
}

// No error that an append would be tried again for: its records stand.
base::Error unmarked(const base::Error& error) {
  return {base::Code::refused, "the records stand, but " + error.message()};
}

std::int64_t utc_now() { return base::wall_now().time_since_epoch().count(); }

}  // namespace

base::Result<std::optional<Reference>> Store::read_head() {
  auto& statement = statements_.head;
  const auto row = statement.step();
  if (!row) return row.error();
  std::optional<Reference> head;
  if (*row) head = Reference{static_cast<std::uint64_t>(statement.integer(0)), digest_of(statement.blob(1))};
  statement.reset();
  return head;
}

base::Result<std::optional<base::Digest>> Store::read_leaf(std::uint64_t sequence) {
  if (sequence > integer_max) return std::optional<base::Digest>();
  auto& statement = statements_.leaf;
  statement.bind_integer(1, static_cast<std::int64_t>(sequence));
  const auto row = statement.step();
  if (!row) return row.error();
  std::optional<base::Digest> leaf;
  if (*row) leaf = digest_of(statement.blob(0));
  statement.reset();
  return leaf;
}

// Opens a transaction and reads its head.
base::Result<void> Store::start_transaction() {
  broken_ = false;
  next_fold_.reset();
  // Moved or removed, they would be written to by us alone, and those in their place by others: two chains.
  if (auto checked = files_.check(database_path(place_)); !checked) return checked;
  if (auto begun = statements_.begin.run(); !begun) return begun.error();
  const auto head = read_head();
  if (head && *head) {
    next_head_ = **head;
    return {};
  }
  rollback();
  if (!head) return head.error();
  return base::Error(base::Code::conflict, "the ledger has lost all of its records");
}

// Checks and folds what stands between the head we know and the transaction's.
base::Result<void> Store::join_head() {
  auto joined = check_mark();
  if (joined) joined = catch_up(next_head_);
  if (!joined) rollback();
  return joined;
}

base::Result<void> Store::begin() {
  if (auto started = start_transaction(); !started) return started;
  return join_head();
}

bool Store::begin_promptly() {
  sqlite3_busy_timeout(database_.handle(), 0);
  const auto started = start_transaction();
  sqlite3_busy_timeout(database_.handle(), Database::busy_wait_ms);
  if (!started) return false;
  if (next_head_.sequence > head_.sequence + prompt_records_max) {
    rollback();
    return false;
  }
  const auto joined = join_head();
  return joined.has_value();
}

base::Result<void> Store::scan(std::uint64_t first,
                               const std::function<void(const Record&, const base::Digest&)>& each) {
  auto& statement = statements_.records;
  statement.bind_integer(1, static_cast<std::int64_t>(first));
  for (;;) {
    const auto row = statement.step();
    if (!row) return row.error();
    if (!*row) break;
    const auto sequence = static_cast<std::uint64_t>(statement.integer(0));
    const auto record = decode(statement.blob(1));
    if (!record || record->sequence != sequence) {
      statement.reset();
      return damaged(sequence,
                     "is damaged: " + (record ? "it has another sequence" : record.error().message()));
    }
    each(*record, leaf_of(statement.blob(1)));
  }
  statement.reset();
  return {};
}

// Folds (head_, head]; the records must continue the chain from where we saw it last.
base::Result<void> Store::catch_up(const Reference& head) {
  if (head == head_) return {};
  if (head.sequence <= head_.sequence)
    return base::Error(base::Code::conflict,
                       "the ledger was changed: record " + std::to_string(head.sequence) +
                           " is its head, and it was record " + std::to_string(head_.sequence));
  auto fold = std::make_shared<Fold>(*fold_);
  Reference last = head_;
  bool chained = true;
  auto scanned = scan(head_.sequence + 1, [&](const Record& record, const base::Digest& leaf) {
    chained = chained && record.sequence == last.sequence + 1 && record.previous == last.leaf;
    last = {record.sequence, leaf};
    fold->apply(record, leaf);
  });
  if (!scanned) return scanned;
  if (!chained || last != head)
    return base::Error(base::Code::conflict, "the ledger was changed: the records after " +
                                                 std::to_string(head_.sequence) + " do not follow it");
  fold_ = std::move(fold);
  head_ = head;
  return {};
}

base::Result<void> Store::check_answers(const Reference& answers, const Written& written) {
  std::optional<base::Digest> leaf;
  for (const auto& mine : written.records)
    if (mine.sequence == answers.sequence) leaf = mine.leaf;
  if (!leaf) {
    auto found = read_leaf(answers.sequence);
    if (!found) {
      broken_ = true;
      return found.error();
    }
    leaf = *found;
  }
  if (leaf == answers.leaf) return {};
  return base::Error(base::Code::invalid, "no record " + std::to_string(answers.sequence) +
                                              " with the leaf that the record answers");
}

// Gives the drafts their place in the chain and makes their bodies; writes nothing.
base::Result<void> Store::complete(std::vector<Prepared>& drafts, const std::string& writer, std::int64_t now,
                                   std::vector<std::string>& bodies, Written& written) {
  Reference last = next_head_;
  for (auto& draft : drafts) {
    Record& record = draft.record;
    record.ledger = ledger_id_;
    record.sequence = last.sequence + 1;
    record.previous = last.leaf;
    record.time = now;
    record.monotonic = base::monotonic_now().count();
    record.boot = base::boot_id();
    record.writer = writer;
    if (record.type == Type::genesis) return base::Error(base::Code::invalid, "a ledger has one genesis");
    if (record.answers && record.answers->sequence == Append::answers_previous) {
      if (written.records.empty())
        return base::Error(base::Code::invalid, "the first draft answers the draft before it");
      record.answers = last;
    } else if (record.answers) {
      if (auto checked = check_answers(*record.answers, written); !checked) return checked;
    }
    auto body = encode(record);
    if (!body) return body.error();
    last = {record.sequence, leaf_of(*body)};
    bodies.push_back(std::move(*body));
    written.records.push_back(last);
  }
  return {};
}

base::Result<void> Store::insert(const std::vector<Prepared>& drafts, const std::vector<std::string>& bodies,
                                 const Written& written) {
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    const std::uint64_t sequence = written.records[i].sequence;
    auto& into = statements_.insert_record;
    into.bind_integer(1, static_cast<std::int64_t>(sequence));
    into.bind_blob(2, bodies[i]);
    into.bind_blob(3, base::bytes_of(written.records[i].leaf));
    const Columns columns = columns_of(drafts[i].record);
    bind_columns(into, columns);
    if (auto done = into.run(); !done) return done;
    for (std::size_t slot = 0; slot < drafts[i].payloads.size(); ++slot) {
      const StoredPayload& stored = drafts[i].payloads[slot];
      auto& payload = statements_.insert_payload;
      payload.bind_integer(1, schema::payload_id(sequence, slot));
      payload.bind_text(2, stored.slot);
      payload.bind_blob(3, stored.salt);
      payload.bind_integer(4, stored.codec);
      payload.bind_integer(5, stored.key_id);
      payload.bind_blob(6, stored.bytes);
      if (auto done = payload.run(); !done) return done;
    }
  }
  return {};
}

base::Result<Written> Store::add(std::vector<Prepared>& drafts,
                                 const std::vector<Precondition>& preconditions, const std::string& writer) {
  CHECK(!broken_ && database_.in_transaction());
  const std::int64_t now = utc_now();  // what expires is held against the time that the records have
  if (auto reason = failing(preconditions, next_fold_ ? *next_fold_ : *fold_, now))
    return base::Error(base::Code::conflict, std::move(*reason));
  std::vector<std::string> bodies;
  Written written;
  if (auto completed = complete(drafts, writer, now, bodies, written); !completed) return completed.error();
  if (auto inserted = insert(drafts, bodies, written); !inserted) {
    broken_ = true;
    return inserted.error();
  }
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    if (!(next_fold_ ? *next_fold_ : *fold_).concerns(drafts[i].record)) continue;
    if (!next_fold_) next_fold_ = std::make_shared<Fold>(*fold_);
    next_fold_->apply(drafts[i].record, written.records[i].leaf);
  }
  if (!written.records.empty()) next_head_ = written.records.back();
  return written;
}

base::Result<void> Store::commit() {
  if (next_fold_)
    if (auto saved = FoldStore::save(database_, *fold_, *next_fold_); !saved) {
      rollback();
      return saved;
    }
  if (auto committed = statements_.commit.run(); !committed) {
    rollback();
    return committed;
  }
  const bool changed = next_head_ != head_;
  head_ = next_head_;
  if (next_fold_) fold_ = std::move(next_fold_);
  next_fold_.reset();
  if (!changed) return {};
  if (mark_) {
    const auto marked = mark_->write(head_);
    return marked ? marked : unmarked(marked.error());
  }
  auto mark = Mark::create(mark_path(place_), head_);
  if (!mark) return unmarked(mark.error());
  mark_ = std::move(*mark);
  return {};
}

void Store::rollback() {
  broken_ = false;
  next_fold_.reset();
  // SQLite rolls back by itself on some errors; then there is nothing left to do.
  if (database_.in_transaction()) static_cast<void>(statements_.rollback.run());
}

}  // namespace ledger
