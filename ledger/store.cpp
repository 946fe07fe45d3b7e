#include "ledger/store.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cstdlib>

#include "ledger/body.hpp"
#include "ledger/checkpoint_store.hpp"
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
  const auto text = [&](int parameter, std::optional<std::string_view> value) {
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

// A clock that is kept right by slewing moves far less between two records.
constexpr std::int64_t clock_step_min = 1'000'000'000;  // ns

// Records that are not left unsigned for long: what follows may be final.
bool is_signed_at_once(Type type) {
  return type == Type::mission_terminate || type == Type::mission_end || type == Type::policy_changed ||
         type == Type::writer_stop || type == Type::key_rotation || type == Type::hold_set ||
         type == Type::hold_released || type == Type::purge || type == Type::erase;
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
  next_ = {};
  // Moved or removed, they would be written to by us alone, and those in their place by others: two chains.
  if (auto checked = files_.check(database_path(place_)); !checked) return checked;
  if (auto begun = statements_.begin.run(); !begun) return begun;
  const auto head = read_head();
  if (head && *head) {
    next_.head = **head;
    return {};
  }
  rollback();
  if (!head) return head.error();
  return base::Error(base::Code::conflict, "the ledger has lost all of its records");
}

// Checks and folds what stands between the head we know and the transaction's.
base::Result<void> Store::join_head() {
  auto joined = check_mark();
  if (joined) joined = catch_up(next_.head);
  if (!joined) {
    rollback();
    return joined;
  }
  next_.tree = tree_;
  next_.signed_size = signed_size_;
  next_.missions = missions_;
  next_.ciphers = ciphers_;
  next_.clock_offset = clock_offset_;
  return {};
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
  if (next_.head.sequence > head_.sequence + prompt_records_max) {
    rollback();
    return false;
  }
  const auto joined = join_head();
  return joined.has_value();
}

base::Result<void> Store::scan(std::uint64_t first,
                               const std::function<void(const Record&, const base::Digest&)>& each) {
  return scan_some(first, ~std::uint64_t{0}, each);
}

base::Result<void> Store::scan_some(std::uint64_t first, std::uint64_t count,
                                    const std::function<void(const Record&, const base::Digest&)>& each) {
  auto& statement = statements_.records;
  statement.bind_integer(1, static_cast<std::int64_t>(first));
  for (; count > 0; --count) {
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
  Tree tree = tree_;
  Reference last = head_;
  bool chained = true, removed = false;
  std::vector<std::pair<std::uint64_t, std::string>> added;  // missions
  auto scanned = scan(head_.sequence + 1, [&](const Record& record, const base::Digest& leaf) {
    chained = chained && record.sequence == last.sequence + 1 && record.previous == last.leaf;
    last = {record.sequence, leaf};
    tree.add(leaf);
    if (!record.mission.empty()) added.emplace_back(record.sequence, record.mission);
    removed = removed || record.type == Type::purge || record.type == Type::erase;
    fold->apply(record, leaf);
  });
  if (!scanned) return scanned;
  if (!chained || last != head)
    return base::Error(base::Code::conflict, "the ledger was changed: the records after " +
                                                 std::to_string(head_.sequence) + " do not follow it");
  const auto signed_size = checkpoint_store::last_size(database_);
  if (!signed_size) return signed_size.error();
  if (signed_size_ != *signed_size) missions_.clear();
  signed_size_ = *signed_size;
  for (auto& [sequence, mission] : added)
    if (sequence >= signed_size_) missions_.insert(std::move(mission));
  if (removed) {
    sealer_->forget();
    ciphers_.clear();
  }
  fold_ = std::move(fold);
  tree_ = std::move(tree);
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
      next_.broken = true;
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
  Reference last = next_.head;
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

// What a payload refers to may have been erased since: then it was not kept, and the record says so.
base::Result<void> Store::leave_out_lost(Prepared& draft) {
  for (std::size_t i = 0; i < draft.payloads.size();) {
    const auto& same = draft.payloads[i].stored.same;
    if (same) {
      auto& statement = statements_.payload;
      statement.bind_integer(1, *same);
      const auto there = statement.step();
      statement.reset();
      if (!there) return there.error();
      if (!*there) {
        std::string& left_out = draft.record.details["left_out"];
        left_out += (left_out.empty() ? "" : " ") + draft.payloads[i].stored.slot;
        draft.payloads.erase(draft.payloads.begin() + static_cast<std::ptrdiff_t>(i));
        draft.record.payloads.erase(draft.record.payloads.begin() + static_cast<std::ptrdiff_t>(i));
        continue;
      }
    }
    ++i;
  }
  return {};
}

base::Result<void> Store::keep_cipher(std::int64_t id, const std::string& mission) {
  if (next_.ciphers.contains(id)) return {};
  const Cipher cipher = sealer_->cipher(mission);
  auto& into = statements_.insert_cipher;
  into.bind_integer(1, cipher.id);
  into.bind_text(2, cipher.mission);
  into.bind_blob(3, cipher.wrapped);
  if (auto done = into.run(); !done) return done;
  next_.ciphers.insert(id);
  return {};
}

base::Result<void> Store::insert_payload(const SealedPayload& sealed, std::int64_t id,
                                         const std::string& mission) {
  const StoredPayload& stored = sealed.stored;
  if (auto kept = keep_cipher(stored.key, mission); !kept) return kept;
  auto& into = statements_.insert_payload;
  into.bind_integer(1, id);
  into.bind_text(2, stored.slot);
  into.bind_blob(3, stored.salt);
  into.bind_integer(4, stored.codec);
  into.bind_integer(5, stored.key);
  if (stored.same)
    into.bind_integer(6, *stored.same);
  else
    into.bind_blob(7, stored.bytes);
  if (sealed.content && !stored.same) next_.contents.push_back({mission, *sealed.content, id});
  return into.run();
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
    for (std::size_t slot = 0; slot < drafts[i].payloads.size(); ++slot)
      if (auto done = insert_payload(drafts[i].payloads[slot], schema::payload_id(sequence, slot),
                                     drafts[i].record.mission);
          !done)
        return done;
  }
  return {};
}

// In the open transaction, as they are; the head, fold and tree go on with them.
base::Result<Written> Store::append(std::vector<Prepared>& drafts, const std::string& writer,
                                    std::int64_t now) {
  std::vector<std::string> bodies;
  Written written;
  if (auto completed = complete(drafts, writer, now, bodies, written); !completed) return completed.error();
  if (auto inserted = insert(drafts, bodies, written); !inserted) {
    next_.broken = true;
    return inserted.error();
  }
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    const Record& record = drafts[i].record;
    next_.tree.add(written.records[i].leaf);
    if (!record.mission.empty()) next_.missions.insert(record.mission);
    next_.checkpoint = next_.checkpoint || is_signed_at_once(record.type);
    if (!(next_.fold ? *next_.fold : *fold_).concerns(record)) continue;
    if (!next_.fold) next_.fold = std::make_shared<Fold>(*fold_);
    next_.fold->apply(record, written.records[i].leaf);
  }
  if (!written.records.empty()) next_.head = written.records.back();
  return written;
}

// Before what is written now: the wall clock was set since our last record.
base::Result<void> Store::note_clock_step(const std::string& writer, std::int64_t now) {
  const std::int64_t offset = now - base::monotonic_now().count();
  const std::int64_t step = offset - next_.clock_offset.value_or(offset);
  next_.clock_offset = offset;
  if (std::abs(step) < clock_step_min) return {};
  std::vector<Prepared> drafts(1);
  drafts[0].record.type = Type::degraded;
  drafts[0].record.details = {{"reason", "clock_step"},
                              {"step", std::to_string(std::abs(step))},
                              {"direction", step < 0 ? "back" : "forward"}};
  const auto written = append(drafts, writer, now);
  if (!written) return written.error();
  return {};
}

base::Result<Written> Store::add(std::vector<Prepared>& drafts,
                                 const std::vector<Precondition>& preconditions, const std::string& writer) {
  CHECK(!next_.broken && database_.in_transaction());
  // What expires is held against the time that the records have.
  const std::int64_t now = wall_now();
  if (auto reason = failing(preconditions, next_.fold ? *next_.fold : *fold_, now))
    return base::Error(base::Code::conflict, std::move(*reason));
  for (auto& draft : drafts)
    if (auto checked = leave_out_lost(draft); !checked) {
      next_.broken = true;
      return checked.error();
    }
  if (auto noted = note_clock_step(writer, now); !noted) return noted.error();
  return append(drafts, writer, now);
}

base::Result<void> Store::commit() {
  const bool full = next_.tree.size() >= next_.signed_size + checkpoint_records;
  base::Result<void> ready;
  if (full || next_.checkpoint) ready = sign_head();
  if (ready && next_.fold) ready = FoldStore::save(database_, *fold_, *next_.fold);
  if (ready) ready = statements_.commit.run();
  if (!ready) {
    rollback();
    return ready;
  }
  const bool changed = next_.head != head_;
  settle();
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

// What was next stands now.
void Store::settle() {
  head_ = next_.head;
  if (next_.fold) fold_ = std::move(next_.fold);
  tree_ = std::move(next_.tree);
  signed_size_ = next_.signed_size;
  missions_ = std::move(next_.missions);
  ciphers_ = std::move(next_.ciphers);
  clock_offset_ = next_.clock_offset;
  if (signed_head_ && !next_.note.empty()) signed_head_(next_.note);
  for (const auto& each : next_.contents) sealer_->remember(each.mission, each.digest, each.id);
  next_ = {};
}

std::int64_t Store::wall_now() const { return wall_clock_ ? wall_clock_() : utc_now(); }

void Store::rollback() {
  next_ = {};
  // SQLite rolls back by itself on some errors; then there is nothing left to do.
  if (database_.in_transaction()) static_cast<void>(statements_.rollback.run());
}

}  // namespace ledger
