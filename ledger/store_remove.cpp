// Payloads that go: the record that says so and the removal are one transaction, and what is held is looked
// at in it.

#include <sqlite3.h>

#include <algorithm>

#include "ledger/body.hpp"
#include "ledger/custody.hpp"
#include "ledger/payload_rows.hpp"
#include "ledger/schema.hpp"
#include "ledger/store.hpp"

namespace ledger {
namespace {

base::Error refused(std::string why) { return {base::Code::refused, std::move(why)}; }

// The rows that a removal takes.
struct Rows {
  Touched touched;
  std::vector<std::int64_t> ids;
};

void touch(Rows& rows, const Record& record) {
  Touched& touched = rows.touched;
  touched.first_time = touched.last_time == 0 ? record.time : std::min(touched.first_time, record.time);
  touched.last_time = std::max(touched.last_time, record.time);
  if (record.agent) touched.agents.insert(record.agent->name);
}

const schema::Object& trigger(std::string_view name) {
  return *std::find_if(schema::objects.begin(), schema::objects.end(),
                       [&](const schema::Object& object) { return object.name == name; });
}

// Hands the bytes of a row on to the first of those that refer to it, under whose salt they are sealed anew.
base::Result<void> hand_on(const Database& database, PayloadRows& payloads, std::int64_t id,
                           std::uint64_t size) {
  auto others = database.prepare("SELECT id FROM payload WHERE same = ? ORDER BY id");
  if (!others) return others.error();
  others->bind_integer(1, id);
  const auto there = others->step();
  if (!there) return there.error();
  if (!*there) return {};
  const std::int64_t heir = others->integer(0);
  others->reset();
  const auto held = payloads.read(id), next = payloads.read(heir);
  if (!held || !next) return (held ? next : held).error();
  const auto key = payloads.key_bytes((*held)->key);
  if (!key) return key.error();
  const auto bytes = payload::unpack(**held, size, *key);
  if (!bytes) return bytes.error();
  const StoredPayload sealed = payload::pack((*next)->slot, (*next)->salt, *bytes, *key);
  auto give = database.prepare("UPDATE payload SET same = NULL, codec = ?, bytes = ? WHERE id = ?");
  if (!give) return give.error();
  give->bind_integer(1, sealed.codec);
  give->bind_blob(2, sealed.bytes);
  give->bind_integer(3, heir);
  if (auto done = give->run(); !done) return done;
  auto point = database.prepare("UPDATE payload SET same = ? WHERE same = ?");
  if (!point) return point.error();
  point->bind_integer(1, heir);
  point->bind_integer(2, id);
  return point->run();
}

// All agents of the mission count: a hold on one covers what all of them did.
base::Result<void> collect_mission(const Database& database, const Removal& removal, Rows& rows) {
  auto bodies =
      database.prepare("SELECT sequence, body FROM record WHERE sequence BETWEEN ? AND ? AND mission = ?");
  if (!bodies) return bodies.error();
  bodies->bind_integer(1, static_cast<std::int64_t>(removal.from));
  bodies->bind_integer(2, static_cast<std::int64_t>(removal.to));
  bodies->bind_text(3, removal.mission);
  rows.touched.mission = removal.mission;
  for (;;) {
    const auto row = bodies->step();
    if (!row) return row.error();
    if (!*row) return {};
    const auto record = decode(bodies->blob(1));
    if (!record) return record.error();
    touch(rows, *record);
    for (std::size_t i = 0; i < record->payloads.size(); ++i)
      rows.ids.push_back(schema::payload_id(record->sequence, i));
  }
}

}  // namespace

base::Result<std::uint64_t> Store::remove(const Draft& drafted, const std::string& writer) {
  static_cast<void>(database_.run("PRAGMA secure_delete=ON"));
  if (auto begun = begin(); !begun) return begun.error();
  auto removed = remove_in_transaction(drafted, writer);
  if (!removed) {
    rollback();
    return removed;
  }
  if (auto committed = commit(); !committed) return committed.error();
  sealer_->forget();
  ciphers_.clear();
  // What the log still holds of the rows goes with it; who reads now keeps it until the next time.
  sqlite3_wal_checkpoint_v2(database_.handle(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  wal_pages_ = 0;
  return removed;
}

base::Result<std::uint64_t> Store::remove_in_transaction(const Draft& drafted, const std::string& writer) {
  const auto removal = removal_of(drafted.record);
  if (!removal) return base::Error(base::Code::invalid, "a removal that names nothing");
  Rows rows;
  std::vector<Commitment> commitments;
  if (removal->slots.empty()) {
    if (fold_->mission(removal->mission) != nullptr) return refused("the mission has not ended");
    if (removal->size > signed_size_) return refused("no checkpoint signs all of it yet");
    if (auto collected = collect_mission(database_, *removal, rows); !collected) return collected.error();
    if (removal->before > wall_now()) return refused("it is to be older than a time to come");
    if (removal->before != 0 && rows.touched.last_time >= removal->before)
      return refused("some of it is younger than that");
  } else if (auto collected = collect_slots(*removal, rows.touched, rows.ids, commitments); !collected) {
    return collected.error();
  }
  if (const Hold* hold = fold_->held(rows.touched))
    return refused("hold " + std::to_string(hold->record) + " covers it");
  for (const char* each : {"payload_delete", "payload_update"})
    if (auto dropped = database_.run(std::string("DROP TRIGGER ") + each); !dropped) return dropped.error();
  std::uint64_t removed = 0;
  if (auto done = remove_rows(rows.ids, commitments, removed); !done) return done.error();
  if (removal->slots.empty())
    if (auto done = remove_ciphers(removal->mission); !done) return done.error();
  for (const char* each : {"payload_update", "payload_delete"})
    if (auto made = database_.run(std::string(trigger(each).sql)); !made) return made.error();
  std::vector<Prepared> drafts(1);
  drafts[0].record = drafted.record;
  drafts[0].record.payloads.clear();
  if (const auto written = add(drafts, {}, writer); !written) return written.error();
  return removed;
}

// Of one record: its mission may go on, but no hold may cover it.
base::Result<void> Store::collect_slots(const Removal& removal, Touched& touched,
                                        std::vector<std::int64_t>& ids,
                                        std::vector<Commitment>& commitments) {
  base::Result<void> found =
      base::Error(base::Code::not_found, "there is no record " + std::to_string(removal.from));
  Rows rows;
  std::string mission;
  auto scanned = scan_some(removal.from, 1, [&](const Record& record, const base::Digest&) {
    found = {};
    mission = record.mission;
    touch(rows, record);
    for (const std::string& slot : removal.slots) {
      const auto at = std::find_if(record.payloads.begin(), record.payloads.end(),
                                   [&](const Commitment& each) { return each.slot == slot; });
      if (at == record.payloads.end()) {
        found = base::Error(base::Code::not_found, "it has no payload `" + slot + "`");
        return;
      }
      ids.push_back(
          schema::payload_id(record.sequence, static_cast<std::uint64_t>(at - record.payloads.begin())));
      commitments.push_back(*at);
    }
  });
  if (!scanned) return scanned;
  if (!found) return found;
  if (mission != removal.mission)
    return base::Error(base::Code::invalid, "an erasure for another mission than its record's");
  // All of the mission counts: a hold on some of it covers what can be told of the rest.
  if (!mission.empty())
    if (auto collected = collect_mission(database_, {mission, 0, head_.sequence, 0, 0, {}}, rows); !collected)
      return collected;
  touched = rows.touched;
  touched.mission = mission;
  return {};
}

// With `commitments` others may need the bytes.
base::Result<void> Store::remove_rows(const std::vector<std::int64_t>& ids,
                                      const std::vector<Commitment>& commitments, std::uint64_t& removed) {
  PayloadRows payloads(database_, payloads_key_file(place_.folder).load());
  auto row = database_.prepare("DELETE FROM payload WHERE id = ?");
  if (!row) return row.error();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!commitments.empty())
      if (auto handed = hand_on(database_, payloads, ids[i], commitments[i].size); !handed) return handed;
    row->bind_integer(1, ids[i]);
    if (auto done = row->run(); !done) return done;
    removed += static_cast<std::uint64_t>(sqlite3_changes(database_.handle()));
  }
  return {};
}

// Those that seal nothing any more: a name that was used again may have others.
base::Result<void> Store::remove_ciphers(const std::string& mission) {
  auto gone = database_.prepare(
      "DELETE FROM cipher WHERE mission = ?1 AND id NOT IN (SELECT payload.key FROM record CROSS JOIN "
      "payload ON "
      "payload.id BETWEEN record.sequence * 64 AND record.sequence * 64 + 63 WHERE record.mission = ?1)");
  if (!gone) return gone.error();
  gone->bind_text(1, mission);
  return gone->run();
}

}  // namespace ledger
