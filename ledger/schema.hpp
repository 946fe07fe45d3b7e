#pragma once
// The exact SQL of a ledger database (FORMAT.md, «Database»). Verify compares sqlite_schema with it, text for
// text and nothing besides.

#include <array>
#include <cstdint>
#include <string_view>

#include "ledger/profile.hpp"

namespace ledger::schema {

inline constexpr std::int64_t application_id = 0x63676c31;  // `cgl1`
inline constexpr std::int64_t user_version = 1;

struct Object {
  std::string_view type, name, sql;
};

inline constexpr std::array<Object, 18> objects{{
    {"table", "record",
     "CREATE TABLE record(sequence INTEGER PRIMARY KEY, body BLOB, leaf BLOB NOT NULL, time INTEGER, type "
     "TEXT, "
     "mission TEXT, call INTEGER, answers INTEGER, server TEXT, tool TEXT, decision TEXT, status TEXT) "
     "STRICT"},
    {"table", "payload",
     "CREATE TABLE payload(id INTEGER PRIMARY KEY, slot TEXT NOT NULL, salt BLOB NOT NULL, codec INTEGER NOT "
     "NULL, "
     "key INTEGER NOT NULL, same INTEGER, bytes BLOB) STRICT"},
    {"table", "cipher",
     "CREATE TABLE cipher(id INTEGER PRIMARY KEY, mission TEXT NOT NULL, wrapped BLOB NOT NULL) STRICT"},
    {"table", "checkpoint", "CREATE TABLE checkpoint(size INTEGER PRIMARY KEY, note BLOB NOT NULL) STRICT"},
    {"table", "mission",
     "CREATE TABLE mission(id TEXT PRIMARY KEY, key BLOB NOT NULL, state TEXT NOT NULL, start INTEGER NOT "
     "NULL, "
     "policies BLOB NOT NULL) STRICT, WITHOUT ROWID"},
    {"table", "ask",
     "CREATE TABLE ask(decision INTEGER PRIMARY KEY, leaf BLOB NOT NULL, mission TEXT NOT NULL, server TEXT "
     "NOT NULL, "
     "tool TEXT NOT NULL, writer TEXT NOT NULL, call BLOB NOT NULL, state TEXT NOT NULL, repeat BLOB NOT "
     "NULL, "
     "asked INTEGER NOT NULL, expires INTEGER NOT NULL, answer INTEGER NOT NULL) STRICT"},
    {"table", "grant",
     "CREATE TABLE \"grant\"(record INTEGER PRIMARY KEY, leaf BLOB NOT NULL, mission TEXT NOT NULL, ask "
     "INTEGER NOT NULL, expires INTEGER NOT NULL) STRICT"},
    {"table", "hold",
     "CREATE TABLE hold(record INTEGER PRIMARY KEY, leaf BLOB NOT NULL, scope TEXT NOT NULL, \"of\" TEXT NOT "
     "NULL, \"from\" INTEGER NOT NULL, until INTEGER NOT NULL) STRICT"},
    {"table", "trust",
     "CREATE TABLE trust(workspace BLOB PRIMARY KEY, policy BLOB NOT NULL, record INTEGER NOT NULL, ended "
     "INTEGER NOT NULL) STRICT, WITHOUT ROWID"},
    {"table", "part",
     "CREATE TABLE part(size INTEGER NOT NULL, mission TEXT NOT NULL, PRIMARY KEY(size, mission)) STRICT, "
     "WITHOUT ROWID"},
    {"table", "state",
     "CREATE TABLE state(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID"},
    {"trigger", "record_update",
     "CREATE TRIGGER record_update BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'records are never "
     "changed'); END"},
    {"trigger", "record_delete",
     "CREATE TRIGGER record_delete BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'records are never "
     "removed'); END"},
    {"trigger", "payload_update",
     "CREATE TRIGGER payload_update BEFORE UPDATE ON payload BEGIN SELECT RAISE(ABORT, 'payloads are never "
     "changed'); "
     "END"},
    {"trigger", "payload_delete",
     "CREATE TRIGGER payload_delete BEFORE DELETE ON payload BEGIN SELECT RAISE(ABORT, 'payloads are never "
     "removed'); "
     "END"},
    {"trigger", "checkpoint_update",
     "CREATE TRIGGER checkpoint_update BEFORE UPDATE ON checkpoint BEGIN SELECT RAISE(ABORT, 'checkpoints "
     "are never "
     "changed'); END"},
    {"trigger", "checkpoint_delete",
     "CREATE TRIGGER checkpoint_delete BEFORE DELETE ON checkpoint BEGIN SELECT RAISE(ABORT, 'checkpoints "
     "are never "
     "removed'); END"},
    {"trigger", "cipher_update",
     "CREATE TRIGGER cipher_update BEFORE UPDATE ON cipher BEGIN SELECT RAISE(ABORT, 'keys are never "
     "changed'); END"},
}};

// The payload at this position of a record's `payloads` has the id sequence * 64 + position.
constexpr std::int64_t payload_id(std::uint64_t sequence, std::uint64_t position) {
  return static_cast<std::int64_t>(sequence * profile::payloads_max + position);
}

}  // namespace ledger::schema
