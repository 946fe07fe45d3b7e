#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "ledger/body.hpp"
#include "ledger/checkpoint.hpp"
#include "ledger/fold_store.hpp"
#include "ledger/schema.hpp"
#include "ledger/store.hpp"
#include "proxy/base/clock.hpp"

namespace ledger {
namespace {

constexpr int checkpoint_pages = 4096;  // 16 MB of WAL
// At a writer's end. The first to open a database reads its whole WAL, which takes a millisecond for 400
// pages.
constexpr int checkpoint_pages_at_end = 256;

base::Error not_a_ledger(std::string_view why) {
  return {base::Code::invalid, "the ledger's database is not one: " + std::string(why)};
}

// The schema, text for text: a view or trigger that somebody slipped in would change what our statements do.
base::Result<void> check_schema(const Database& database) {
  const auto application = database.integer("PRAGMA application_id");
  if (!application) return application.error();
  const auto version = database.integer("PRAGMA user_version");
  if (!version) return version.error();
  if (*application != schema::application_id) return not_a_ledger("another application made it");
  if (*version != schema::user_version)
    return not_a_ledger("it has format " + std::to_string(*version) + ", and this callgate writes format 1");
  auto statement = database.prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_autoindex\\_%' ESCAPE '\\'");
  if (!statement) return statement.error();
  std::size_t seen = 0;
  for (;;) {
    const auto row = statement->step();
    if (!row) return row.error();
    if (!*row) break;
    bool known = false;
    for (const auto& object : schema::objects)
      known = known || (statement->text(0) == object.type && statement->text(1) == object.name &&
                        statement->text(2) == object.sql);
    if (!known) return not_a_ledger("its schema was changed");
    ++seen;
  }
  if (seen != schema::objects.size()) return not_a_ledger("parts of its schema are missing");
  return {};
}

std::string text_of(const Reference& head) {
  return "record " + std::to_string(head.sequence) + " (leaf " + base::hex(head.leaf).substr(0, 12) + "…)";
}

int on_wal(void* pages, sqlite3*, const char*, int count) {
  *static_cast<int*>(pages) = count;
  return SQLITE_OK;
}

}  // namespace

std::string database_path(const Place& place) { return place.folder + "/ledger.db"; }
std::string mark_path(const Place& place) { return place.folder + "/ledger.mark"; }
std::string lock_path(const Place& place) { return place.folder + "/ledger.lock"; }
std::string writers_path(const Place& place) { return place.folder + "/writers"; }

base::Result<std::unique_ptr<Store>> Store::open(const Place& place, const WriterOptions& options,
                                                 bool adopt) {
  auto lock = Lock::open(lock_path(place), true);
  if (!lock) return lock.error();
  const auto held = lock->acquire();
  if (!held) return held.error();

  const DatabaseFiles before = DatabaseFiles::at(database_path(place));
  auto mark = Mark::open(mark_path(place));
  if (!mark && mark.error().code() != base::Code::not_found) return mark.error();
  auto database =
      Database::open(database_path(place), mark && !adopt ? Database::Mode::write : Database::Mode::create);
  if (!database) {
    if (database.error().code() != base::Code::not_found) return database.error();
    return base::Error(base::Code::conflict,
                       "the ledger's database is gone, but its high-water mark stands: records "
                       "are lost, and nothing is written until the operator adopts the loss");
  }
  if (auto set = database->run(options.durability == Durability::disk ? "PRAGMA synchronous=FULL"
                                                                      : "PRAGMA synchronous=NORMAL");
      !set)
    return set.error();

  std::unique_ptr<Store> store(new Store(std::move(*database), std::move(*lock), place, options));
  store->adopt_ = adopt;
  store->checkpoint_at_ = checkpoint_pages;
  if (mark) store->mark_ = std::move(*mark);
  const auto objects = store->database_.integer("SELECT count(*) FROM sqlite_schema");
  if (!objects) return objects.error();
  // The schema and genesis are one transaction: without objects, nothing was ever committed here.
  if (*objects == 0) {
    if (store->mark_)
      if (auto lost = store->loss("the database is empty"); !lost) return lost.error();
    if (auto created = store->create(options); !created) return created.error();
  }
  if (auto opened = store->open_existing(); !opened) return opened.error();
  sqlite3_wal_hook(store->database_.handle(), on_wal, &store->wal_pages_);
  store->files_ = DatabaseFiles::at(database_path(place));
  if (store->files_.database != before.database && before.database.there)
    return base::Error(base::Code::conflict, "the ledger's database was replaced while it was being opened");
  return store;
}

base::Result<void> Store::create(const WriterOptions& options) {
  Record genesis;
  genesis.type = Type::genesis;
  genesis.ledger = base::hex(base::random_bytes(16));
  genesis.time = base::wall_now().time_since_epoch().count();
  genesis.monotonic = base::monotonic_now().count();
  genesis.boot = base::boot_id();
  genesis.writer = std::string(32, '0');
  genesis.details["format"] = std::to_string(schema::user_version);
  if (!options.operator_key)
    return base::Error(base::Code::invalid, "a new ledger needs the operator's public key");
  const auto key = options.operator_key();
  if (!key) return key.error();
  if (!base::digest_from_hex(*key))
    return base::Error(base::Code::invalid, "the operator's public key is not 64 hex digits");
  genesis.details["operator_key"] = *key;
  const auto checkpoint_key = signer_.create();
  if (!checkpoint_key) return checkpoint_key.error();
  genesis.details["checkpoint_key"] = *checkpoint_key;
  const auto payloads_key =
      payloads_key_file(place_.folder).load_or_create(base::random_bytes(base::key_bytes));
  if (!payloads_key) return payloads_key.error();
  const auto body = encode(genesis);
  if (!body) return body.error();

  if (auto set = database_.run("PRAGMA journal_mode=WAL"); !set) return set;
  std::string sql = "BEGIN IMMEDIATE; PRAGMA application_id=" + std::to_string(schema::application_id) +
                    "; PRAGMA user_version=" + std::to_string(schema::user_version) + ";";
  for (const auto& object : schema::objects) sql += std::string(object.sql) + ";";
  if (auto made = database_.run(sql); !made) return made;
  if (auto prepared = prepare_statements(); !prepared) return prepared;
  const Written written{{{0, leaf_of(*body)}}};
  Prepared draft{genesis, {}};
  if (auto inserted = insert({draft}, {*body}, written); !inserted) return inserted;
  Fold fold;
  fold.apply(genesis, written.records[0].leaf);
  if (auto saved = FoldStore::save(database_, Fold(), fold); !saved) return saved;
  if (auto committed = database_.run("COMMIT"); !committed) return committed;
  if (options.made) options.made(verifier_key(genesis.ledger, *base::digest_from_hex(*checkpoint_key)));
  return {};
}

base::Result<void> Store::prepare_statements() {
  const std::array<std::pair<Statement*, std::string_view>, 10> all{{
      {&statements_.begin, "BEGIN IMMEDIATE"},
      {&statements_.commit, "COMMIT"},
      {&statements_.rollback, "ROLLBACK"},
      {&statements_.head, "SELECT sequence, leaf FROM record ORDER BY sequence DESC LIMIT 1"},
      {&statements_.leaf, "SELECT leaf FROM record WHERE sequence = ?"},
      {&statements_.records, "SELECT sequence, body FROM record WHERE sequence >= ? ORDER BY sequence"},
      {&statements_.insert_record,
       "INSERT INTO record(sequence, body, leaf, time, type, mission, call, answers, server, tool, decision, "
       "status) "
       "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
      {&statements_.insert_payload,
       "INSERT INTO payload(id, slot, salt, codec, key, same, bytes) VALUES(?, ?, ?, ?, ?, ?, ?)"},
      {&statements_.insert_cipher, "INSERT OR REPLACE INTO cipher(id, mission, wrapped) VALUES(?, ?, ?)"},
      {&statements_.payload, "SELECT 1 FROM payload WHERE id = ?"},
  }};
  for (const auto& [statement, sql] : all) {
    auto prepared = database_.prepare(sql);
    if (!prepared) return prepared.error();
    *statement = std::move(*prepared);
  }
  return {};
}

base::Result<void> Store::open_existing() {
  if (auto checked = check_schema(database_); !checked) return checked;
  if (auto prepared = prepare_statements(); !prepared) return prepared;
  const auto head = read_head();
  if (!head) return head.error();
  if (!*head) return not_a_ledger("it has no genesis");
  head_ = next_.head = **head;
  std::string first;
  {
    auto& statement = statements_.records;
    statement.bind_integer(1, 0);
    const auto row = statement.step();
    if (!row) return row.error();
    const auto genesis = decode(statement.blob(1));
    statement.reset();
    if (!genesis) return genesis.error();
    if (genesis->type != Type::genesis) return not_a_ledger("it does not begin with genesis");
    ledger_id_ = genesis->ledger;
  }
  auto fold = FoldStore::load(database_);
  if (!fold) return fold.error();
  fold_ = std::make_shared<const Fold>(std::move(*fold));
  if (auto loaded = load_tree(); !loaded) return loaded;
  if (auto opened = signer_.open(fold_->checkpoint_key().value_or("")); !opened) return opened;
  auto payloads_key = payloads_key_file(place_.folder).load();
  if (!payloads_key) return payloads_key.error();
  sealer_.emplace(std::move(*payloads_key));
  if (!mark_ && head_.sequence == 0) {
    // New, or its creator was killed between commit and mark.
    auto mark = Mark::create(mark_path(place_), head_);
    if (!mark) return mark.error();
    mark_ = std::move(*mark);
  }
  return check_mark();
}

base::Result<void> Store::loss(std::string what) {
  if (adopt_) {
    lost_ = std::move(what);
    if (mark_ && !lost_mark_)
      if (const auto mark = mark_->read()) lost_mark_ = *mark;
    return {};
  }
  return base::Error(base::Code::conflict, "the ledger has lost records: " + what +
                                               "; nothing is written until the operator adopts the loss");
}

base::Result<void> Store::check_mark() {
  if (!mark_) return loss("its high-water mark is missing");
  const auto mark = mark_->read();
  if (!mark) return mark.error().code() == base::Code::invalid ? loss(mark.error().message()) : mark.error();
  if (*mark == next_.head) return {};
  if (mark->sequence > next_.head.sequence)
    return loss("its head is " + text_of(next_.head) + ", and the high-water mark says " + text_of(*mark));
  const auto leaf = read_leaf(mark->sequence);
  if (!leaf) return leaf.error();
  if (*leaf == mark->leaf) return {};
  return loss("it does not hold the high-water mark's " + text_of(*mark));
}

void Store::checkpoint() {
  int frames = 0, copied = 0;
  const int result =
      sqlite3_wal_checkpoint_v2(database_.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, &frames, &copied);
  // All copied: the next commit starts the WAL anew. Else a reader holds it: try again when it has grown as
  // much.
  const bool whole = result == SQLITE_OK && frames == copied;
  checkpoint_at_ = whole ? checkpoint_pages : wal_pages_ + checkpoint_pages;
  if (whole) wal_pages_ = 0;
}

void Store::make_wal_room() {
  if (!begin()) return;
  wal_room_.make(database_.handle(), wal_pages_);
  rollback();
}

void Store::checkpoint_at_end() {
  if (wal_pages_ < checkpoint_pages_at_end) return;
  sqlite3_busy_timeout(database_.handle(), 0);
  sqlite3_wal_checkpoint_v2(database_.handle(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
}

}  // namespace ledger
