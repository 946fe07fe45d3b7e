"""The exact objects of the database (FORMAT.md, «Database»)."""

TABLES = {
    "record": "record(sequence INTEGER PRIMARY KEY, body BLOB, leaf BLOB NOT NULL, time INTEGER, type TEXT, mission TEXT, "
              "call INTEGER, answers INTEGER, server TEXT, tool TEXT, decision TEXT, status TEXT) STRICT",
    "payload": "payload(id INTEGER PRIMARY KEY, slot TEXT NOT NULL, salt BLOB NOT NULL, codec INTEGER NOT NULL, "
               "key INTEGER NOT NULL, same INTEGER, bytes BLOB) STRICT",
    "cipher": "cipher(id INTEGER PRIMARY KEY, mission TEXT NOT NULL, wrapped BLOB NOT NULL) STRICT",
    "checkpoint": "checkpoint(size INTEGER PRIMARY KEY, note BLOB NOT NULL) STRICT",
    "mission": "mission(id TEXT PRIMARY KEY, key BLOB NOT NULL, state TEXT NOT NULL, start INTEGER NOT NULL, "
               "policies BLOB NOT NULL) STRICT, WITHOUT ROWID",
    "ask": "ask(decision INTEGER PRIMARY KEY, leaf BLOB NOT NULL, mission TEXT NOT NULL, server TEXT NOT NULL, "
           "tool TEXT NOT NULL, writer TEXT NOT NULL, call BLOB NOT NULL, state TEXT NOT NULL, repeat BLOB NOT NULL, "
           "asked INTEGER NOT NULL, expires INTEGER NOT NULL, answer INTEGER NOT NULL) STRICT",
    "grant": '"grant"(record INTEGER PRIMARY KEY, leaf BLOB NOT NULL, mission TEXT NOT NULL, ask INTEGER NOT NULL, '
             "expires INTEGER NOT NULL) STRICT",
    "hold": 'hold(record INTEGER PRIMARY KEY, leaf BLOB NOT NULL, scope TEXT NOT NULL, "of" TEXT NOT NULL, '
            '"from" INTEGER NOT NULL, until INTEGER NOT NULL) STRICT',
    "trust": "trust(workspace BLOB PRIMARY KEY, policy BLOB NOT NULL, record INTEGER NOT NULL, ended INTEGER NOT NULL) "
             "STRICT, WITHOUT ROWID",
    "part": "part(size INTEGER NOT NULL, mission TEXT NOT NULL, PRIMARY KEY(size, mission)) STRICT, WITHOUT ROWID",
    "state": "state(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID"}
TRIGGERS = {("record", "UPDATE"): "records are never changed", ("record", "DELETE"): "records are never removed",
            ("payload", "UPDATE"): "payloads are never changed", ("payload", "DELETE"): "payloads are never removed",
            ("checkpoint", "UPDATE"): "checkpoints are never changed",
            ("checkpoint", "DELETE"): "checkpoints are never removed", ("cipher", "UPDATE"): "keys are never changed"}

OBJECTS = {("table", name): "CREATE TABLE " + sql for name, sql in TABLES.items()}
OBJECTS.update({
    ("trigger", "%s_%s" % (table, event.lower())):
        "CREATE TRIGGER %s_%s BEFORE %s ON %s BEGIN SELECT RAISE(ABORT, '%s'); END" % (table, event.lower(), event, table, words)
    for (table, event), words in TRIGGERS.items()})
