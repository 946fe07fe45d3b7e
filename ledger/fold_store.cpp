#include "ledger/fold_store.hpp"

#include <array>
#include <functional>

namespace ledger {
namespace {

base::Error damaged(const char* table) {
  return {base::Code::invalid, std::string("the ledger's derived table `") + table + "` is damaged"};
}

bool read_digest(const Statement& row, int column, base::Digest& digest) {
  const auto bytes = row.blob(column);
  if (bytes.size() != digest.size()) return false;
  std::copy(bytes.begin(), bytes.end(), digest.begin());
  return true;
}

template <class State, std::size_t N>
bool read_state(std::string_view text, const std::array<State, N>& states, State& out) {
  for (const State state : states)
    if (text == name(state)) return out = state, true;
  return false;
}

// Calls `each` for every row; false from it means damaged.
base::Result<void> rows(const Database& database, const char* table, std::string_view sql,
                        const std::function<bool(const Statement&)>& each) {
  auto statement = database.prepare(sql);
  if (!statement) return statement.error();
  for (;;) {
    const auto row = statement->step();
    if (!row) return row.error();
    if (!*row) return {};
    if (!each(*statement)) return damaged(table);
  }
}

bool read_mission(const Statement& row, Mission& mission) {
  mission.id = row.text(0);
  mission.start = static_cast<std::uint64_t>(row.integer(3));
  const auto policies = row.blob(4);
  constexpr std::size_t writer_bytes = 32;
  constexpr std::size_t entry_bytes = writer_bytes + sizeof(base::Digest);
  if (policies.size() % entry_bytes != 0) return false;
  for (std::size_t at = 0; at < policies.size(); at += entry_bytes) {
    base::Digest policy{};
    std::copy_n(policies.begin() + static_cast<std::ptrdiff_t>(at + writer_bytes), policy.size(),
                policy.begin());
    const std::string_view writer = policies.substr(at, writer_bytes);
    if (!mission.policies.empty() && mission.policies.rbegin()->first >= writer) return false;
    mission.policies.emplace(writer, policy);
  }
  return read_digest(row, 1, mission.key) &&
         read_state(row.text(2),
                    std::array{MissionState::active, MissionState::paused, MissionState::terminated},
                    mission.state);
}

bool read_ask(const Statement& row, Ask& ask) {
  ask.decision = static_cast<std::uint64_t>(row.integer(0));
  ask.mission = row.text(2);
  ask.server = row.text(3);
  ask.tool = row.text(4);
  ask.writer = row.text(5);
  ask.asked = row.integer(9);
  ask.expires = row.integer(10);
  ask.answer = static_cast<std::uint64_t>(row.integer(11));
  if (!row.blob(8).empty() && !read_digest(row, 8, ask.repeat.emplace())) return false;
  return read_digest(row, 1, ask.leaf) && read_digest(row, 6, ask.call) &&
         read_state(row.text(7),
                    std::array{AskState::open, AskState::detached, AskState::allowed, AskState::denied},
                    ask.state);
}

bool read_hold(const Statement& row, Hold& hold) {
  hold.record = static_cast<std::uint64_t>(row.integer(0));
  hold.of = row.text(3);
  hold.from = row.integer(4);
  hold.until = row.integer(5);
  return read_digest(row, 1, hold.leaf) &&
         read_state(row.text(2),
                    std::array{Hold::Scope::mission, Hold::Scope::agent, Hold::Scope::time, Hold::Scope::all},
                    hold.scope);
}

void bind_hold(Statement& into, std::uint64_t record, const Hold& hold) {
  into.bind_integer(1, static_cast<std::int64_t>(record));
  into.bind_blob(2, base::bytes_of(hold.leaf));
  into.bind_text(3, name(hold.scope));
  into.bind_text(4, hold.of);
  into.bind_integer(5, hold.from);
  into.bind_integer(6, hold.until);
}

bool read_grant(const Statement& row, Grant& grant) {
  grant.record = static_cast<std::uint64_t>(row.integer(0));
  grant.mission = row.text(2);
  grant.ask = static_cast<std::uint64_t>(row.integer(3));
  grant.expires = row.integer(4);
  return read_digest(row, 1, grant.leaf);
}

void bind_mission(Statement& into, const std::string& id, const Mission& mission) {
  into.bind_text(1, id);
  into.bind_blob(2, base::bytes_of(mission.key));
  into.bind_text(3, name(mission.state));
  into.bind_integer(4, static_cast<std::int64_t>(mission.start));
  std::string policies;
  for (const auto& [writer, policy] : mission.policies)
    policies.append(writer).append(base::bytes_of(policy));
  into.bind_copied_blob(5, policies);
}

void bind_ask(Statement& into, std::uint64_t decision, const Ask& ask) {
  into.bind_integer(1, static_cast<std::int64_t>(decision));
  into.bind_blob(2, base::bytes_of(ask.leaf));
  into.bind_text(3, ask.mission);
  into.bind_text(4, ask.server);
  into.bind_text(5, ask.tool);
  into.bind_text(6, ask.writer);
  into.bind_blob(7, base::bytes_of(ask.call));
  into.bind_text(8, name(ask.state));
  into.bind_copied_blob(9, ask.repeat ? base::bytes_of(*ask.repeat) : "");
  into.bind_integer(10, ask.asked);
  into.bind_integer(11, ask.expires);
  into.bind_integer(12, static_cast<std::int64_t>(ask.answer));
}

void bind_grant(Statement& into, std::uint64_t record, const Grant& grant) {
  into.bind_integer(1, static_cast<std::int64_t>(record));
  into.bind_blob(2, base::bytes_of(grant.leaf));
  into.bind_text(3, grant.mission);
  into.bind_integer(4, static_cast<std::int64_t>(grant.ask));
  into.bind_integer(5, grant.expires);
}

void bind_key(Statement& into, const std::string& key) { into.bind_text(1, key); }
void bind_key(Statement& into, std::uint64_t key) { into.bind_integer(1, static_cast<std::int64_t>(key)); }
void bind_key(Statement& into, const base::Digest& key) { into.bind_blob(1, base::bytes_of(key)); }

// Removes what only `before` has, writes what `after` has anew or otherwise.
template <class Map, class Bind>
base::Result<void> save_map(const Database& database, const Map& before, const Map& after,
                            std::string_view remove, std::string_view write, Bind bind) {
  if (before == after) return {};
  auto remover = database.prepare(remove);
  if (!remover) return remover.error();
  for (const auto& [key, value] : before) {
    if (after.contains(key)) continue;
    bind_key(*remover, key);
    if (auto done = remover->run(); !done) return done;
  }
  auto writer = database.prepare(write);
  if (!writer) return writer.error();
  for (const auto& [key, value] : after) {
    const auto old = before.find(key);
    if (old != before.end() && old->second == value) continue;
    bind(*writer, key, value);
    if (auto done = writer->run(); !done) return done;
  }
  return {};
}

base::Result<void> save_key(const Database& database, std::string_view name,
                            const std::optional<std::string>& before,
                            const std::optional<std::string>& after) {
  if (before == after || !after) return {};
  auto writer = database.prepare("INSERT OR REPLACE INTO state(name, value) VALUES(?, ?)");
  if (!writer) return writer.error();
  writer->bind_text(1, name);
  writer->bind_text(2, *after);
  return writer->run();
}

}  // namespace

base::Result<Fold> FoldStore::load(const Database& database) {
  Fold fold;
  auto read = rows(database, "mission", "SELECT id, key, state, start, policies FROM mission",
                   [&](const Statement& row) {
                     Mission mission;
                     return read_mission(row, mission) && fold.missions_.emplace(mission.id, mission).second;
                   });
  if (!read) return read.error();
  read = rows(database, "ask",
              "SELECT decision, leaf, mission, server, tool, writer, call, state, repeat, asked, expires, "
              "answer FROM ask",
              [&](const Statement& row) {
                Ask ask;
                return read_ask(row, ask) && fold.asks_.emplace(ask.decision, ask).second;
              });
  if (!read) return read.error();
  read = rows(database, "grant", "SELECT record, leaf, mission, ask, expires FROM \"grant\"",
              [&](const Statement& row) {
                Grant grant;
                return read_grant(row, grant) && fold.grants_.emplace(grant.record, grant).second;
              });
  if (!read) return read.error();
  read = rows(database, "hold", "SELECT record, leaf, scope, \"of\", \"from\", until FROM hold",
              [&](const Statement& row) {
                Hold hold;
                return read_hold(row, hold) && fold.holds_.emplace(hold.record, hold).second;
              });
  if (!read) return read.error();
  read = rows(
      database, "trust", "SELECT workspace, policy, record, ended FROM trust", [&](const Statement& row) {
        base::Digest workspace{};
        Trust trust;
        trust.record = static_cast<std::uint64_t>(row.integer(2));
        trust.ended = row.integer(3) != 0;
        return read_digest(row, 0, workspace) && read_digest(row, 1, trust.policy) &&
               (row.integer(3) == 0 || row.integer(3) == 1) && fold.trusted_.emplace(workspace, trust).second;
      });
  if (!read) return read.error();
  read = rows(database, "state", "SELECT name, value FROM state", [&](const Statement& row) {
    if (row.text(0) == "operator_key") fold.operator_key_ = row.text(1);
    if (row.text(0) == "checkpoint_key") fold.checkpoint_key_ = row.text(1);
    return true;  // the tree is checkpoint_store's
  });
  if (!read) return read.error();
  return fold;
}

base::Result<void> FoldStore::save(const Database& database, const Fold& before, const Fold& after) {
  auto saved = save_map(
      database, before.missions_, after.missions_, "DELETE FROM mission WHERE id = ?",
      "INSERT OR REPLACE INTO mission(id, key, state, start, policies) VALUES(?, ?, ?, ?, ?)", bind_mission);
  if (!saved) return saved;
  saved = save_map(
      database, before.asks_, after.asks_, "DELETE FROM ask WHERE decision = ?",
      "INSERT OR REPLACE INTO ask(decision, leaf, mission, server, tool, writer, call, state, repeat, "
      "asked, expires, answer) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      bind_ask);
  if (!saved) return saved;
  saved =
      save_map(database, before.grants_, after.grants_, "DELETE FROM \"grant\" WHERE record = ?",
               "INSERT OR REPLACE INTO \"grant\"(record, leaf, mission, ask, expires) VALUES(?, ?, ?, ?, ?)",
               bind_grant);
  if (!saved) return saved;
  saved = save_map(
      database, before.holds_, after.holds_, "DELETE FROM hold WHERE record = ?",
      "INSERT OR REPLACE INTO hold(record, leaf, scope, \"of\", \"from\", until) VALUES(?, ?, ?, ?, ?, ?)",
      bind_hold);
  if (!saved) return saved;
  saved = save_map(database, before.trusted_, after.trusted_, "DELETE FROM trust WHERE workspace = ?",
                   "INSERT OR REPLACE INTO trust(workspace, policy, record, ended) VALUES(?, ?, ?, ?)",
                   [](Statement& into, const base::Digest& workspace, const Trust& trust) {
                     into.bind_blob(1, base::bytes_of(workspace));
                     into.bind_blob(2, base::bytes_of(trust.policy));
                     into.bind_integer(3, static_cast<std::int64_t>(trust.record));
                     into.bind_integer(4, trust.ended ? 1 : 0);
                   });
  if (saved) saved = save_key(database, "operator_key", before.operator_key_, after.operator_key_);
  if (saved) saved = save_key(database, "checkpoint_key", before.checkpoint_key_, after.checkpoint_key_);
  return saved;
}

}  // namespace ledger
