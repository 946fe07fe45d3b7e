#include "ledger/reader.hpp"

#include <algorithm>

#include "ledger/body.hpp"
#include "ledger/checkpoint_store.hpp"
#include "ledger/database.hpp"
#include "ledger/fold_store.hpp"
#include "ledger/lock.hpp"
#include "ledger/payload_rows.hpp"
#include "ledger/schema.hpp"
#include "ledger/sealer.hpp"
#include "ledger/store.hpp"

namespace ledger {
namespace {

constexpr std::uint64_t chunk_records = 256;

base::Result<StoredRecord> stored_record(const Statement& row) {
  StoredRecord stored;
  const auto sequence = static_cast<std::uint64_t>(row.integer(0));
  stored.body = row.blob(1);
  stored.leaf = leaf_of(stored.body);
  auto record = decode(stored.body);
  if (!record)
    return base::Error(base::Code::invalid,
                       "record " + std::to_string(sequence) + ": " + record.error().message());
  if (record->sequence != sequence || row.blob(2) != base::bytes_of(stored.leaf))
    return base::Error(base::Code::invalid, "record " + std::to_string(sequence) + " does not fit its row");
  stored.record = std::move(*record);
  return stored;
}

}  // namespace

struct Reader::Database {
  Database(ledger::Database opened, Statement newest, Statement from, const Place& place)
      : handle(std::move(opened)),
        head(std::move(newest)),
        records(std::move(from)),
        payloads(handle, payloads_key_file(place.folder).load()) {}
  ledger::Database handle;
  Statement head, records;
  PayloadRows payloads;
};

Reader::Reader(std::unique_ptr<Database> database) : database_(std::move(database)) {}
Reader::~Reader() = default;

base::Result<std::unique_ptr<Reader>> Reader::open(const Place& place) {
  const auto lock = Lock::open(lock_path(place), false);
  if (!lock && lock.error().code() == base::Code::not_found)
    return base::Error(base::Code::not_found, "there is no ledger yet");
  if (!lock) return lock.error();
  const auto held = lock->acquire();
  if (!held) return held.error();
  auto handle = ledger::Database::open(database_path(place), ledger::Database::Mode::read);
  if (!handle) {
    if (handle.error().code() == base::Code::not_found)
      return base::Error(base::Code::not_found, "there is no ledger yet");
    return handle.error();
  }
  const auto application = handle->integer("PRAGMA application_id");
  if (!application) return application.error();
  const auto objects = handle->integer("SELECT count(*) FROM sqlite_schema");
  if (!objects) return objects.error();
  if (*objects == 0) return base::Error(base::Code::not_found, "there is no ledger yet");
  if (*application != schema::application_id)
    return base::Error(base::Code::invalid, "the ledger's database is not one: another application made it");
  auto head = handle->prepare("SELECT sequence, leaf FROM record ORDER BY sequence DESC LIMIT 1");
  if (!head) return head.error();
  auto records = handle->prepare(
      "SELECT sequence, body, leaf FROM record WHERE sequence >= ? ORDER BY sequence LIMIT ?");
  if (!records) return records.error();
  return std::unique_ptr<Reader>(new Reader(
      std::make_unique<Database>(std::move(*handle), std::move(*head), std::move(*records), place)));
}

base::Result<std::optional<Reference>> Reader::head() const {
  Statement& statement = database_->head;
  const auto row = statement.step();
  if (!row) return row.error();
  std::optional<Reference> head;
  if (*row) {
    head = Reference{static_cast<std::uint64_t>(statement.integer(0)), {}};
    const auto leaf = statement.blob(1);
    std::copy_n(leaf.begin(), std::min(leaf.size(), head->leaf.size()), head->leaf.begin());
  }
  statement.reset();
  return head;
}

base::Result<std::optional<StoredRecord>> Reader::record(std::uint64_t sequence) const {
  std::optional<StoredRecord> found;
  auto scanned = scan(sequence, 1, [&](const StoredRecord& stored) {
    if (stored.record.sequence == sequence) found = stored;
    return true;
  });
  if (!scanned) return scanned.error();
  return found;
}

// In chunks, so that `each` may take its time without holding a snapshot that keeps the WAL from being
// reused.
base::Result<void> Reader::scan(std::uint64_t first, std::uint64_t count,
                                const std::function<bool(const StoredRecord&)>& each) const {
  while (count != 0 && first <= integer_max) {
    const std::uint64_t wanted = std::min(count, chunk_records);
    std::vector<StoredRecord> chunk;
    Statement& statement = database_->records;
    statement.bind_integer(1, static_cast<std::int64_t>(first));
    statement.bind_integer(2, static_cast<std::int64_t>(wanted));
    for (;;) {
      const auto row = statement.step();
      if (!row) return row.error();
      if (!*row) break;
      auto stored = stored_record(statement);
      if (!stored) {
        statement.reset();
        return stored.error();
      }
      chunk.push_back(std::move(*stored));
    }
    statement.reset();
    for (const auto& stored : chunk)
      if (!each(stored)) return {};
    if (chunk.size() < wanted) return {};
    first = chunk.back().record.sequence + 1;
    count -= chunk.size();
  }
  return {};
}

base::Result<void> Reader::scan_mission(const std::string& mission,
                                        const std::function<bool(const StoredRecord&)>& each) const {
  const auto ranges = checkpoint_store::ranges_of(database_->handle, mission);
  if (!ranges) return ranges.error();
  bool more = true;
  for (const auto& range : *ranges) {
    auto scanned = scan(range.first, range.end - range.first, [&](const StoredRecord& stored) {
      more = each(stored);
      return more;
    });
    if (!scanned || !more) return scanned;
  }
  return {};
}

base::Result<void> Reader::scan_back(const std::function<bool(const StoredRecord&)>& each,
                                     const std::string& mission) const {
  const auto newest = head();
  if (!newest) return newest.error();
  const std::uint64_t count = *newest ? (*newest)->sequence + 1 : 0;
  auto ranges = mission.empty() ? base::Result<std::vector<checkpoint_store::Range>>({{0, count}})
                                : checkpoint_store::ranges_of(database_->handle, mission);
  if (!ranges) return ranges.error();
  bool more = true;
  for (auto range = ranges->rbegin(); more && range != ranges->rend(); ++range)
    for (std::uint64_t end = std::min(range->end, count); more && end > range->first;) {
      const std::uint64_t begin = std::max(range->first, end > chunk_records ? end - chunk_records : 0);
      std::vector<StoredRecord> chunk;
      const auto scanned = scan(begin, end - begin, [&](const StoredRecord& stored) {
        chunk.push_back(stored);
        return true;
      });
      if (!scanned) return scanned;
      for (auto stored = chunk.rbegin(); more && stored != chunk.rend(); ++stored) more = each(*stored);
      end = begin;
    }
  return {};
}

base::Result<std::optional<std::string>> Reader::payload(const StoredRecord& record,
                                                         std::string_view slot) const {
  const auto& payloads = record.record.payloads;
  const auto wanted =
      std::find_if(payloads.begin(), payloads.end(), [&](const auto& one) { return one.slot == slot; });
  if (wanted == payloads.end()) return std::optional<std::string>();
  const std::int64_t id =
      schema::payload_id(record.record.sequence, static_cast<std::uint64_t>(wanted - payloads.begin()));
  const auto stored = database_->payloads.read(id);
  if (!stored) return stored.error();
  if (!*stored) return std::optional<std::string>();
  auto bytes = database_->payloads.open(**stored, id, *wanted, record.record.mission);
  if (!bytes)
    return base::Error(bytes.error().code(), "payload `" + wanted->slot + "` of record " +
                                                 std::to_string(record.record.sequence) + ": " +
                                                 bytes.error().message());
  return std::optional<std::string>(std::move(*bytes));
}

base::Result<Fold> Reader::state() const {
  // One snapshot over the four tables.
  if (auto begun = database_->handle.run("BEGIN"); !begun) return begun.error();
  auto fold = FoldStore::load(database_->handle);
  static_cast<void>(database_->handle.run("COMMIT"));
  return fold;
}

}  // namespace ledger
