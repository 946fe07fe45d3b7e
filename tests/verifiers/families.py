"""The ways to tamper, family by family: each tries many, and says which verdicts are right."""
import bodies
import body
import damaged
import rebuilt
import vectors


def tamper_bodies(corpus):
    """Every key of every body, and then nothing, the leaf, or all that follows made anew. Unless all are wanted, what has
    the same shape is tried once, and the three ways take turns."""
    seen, turn = set(), 0
    for at, record in enumerate(corpus.records):
        for what, path, data in bodies.tampered(record):
            shape = (record["type"] if what in ("changed", "removed") else None, what, path)
            if (shape in seen and not corpus.all) or data.encode() == body.encode(record).encode():
                continue
            seen.add(shape)
            turn += 1
            for how in ("body", "leaf", "chain") if corpus.all else (("body", "leaf", "chain")[turn % 3],):
                tamper_body(corpus, at, what, path, data.encode(), how)


def tamper_body(corpus, at, what, path, data, how):
    copy, last = corpus.copy(), at == len(corpus.records) - 1
    name = "bodies: record %d (%s), %s %s, %s" % (at, corpus.records[at]["type"], path, what, how)
    if how == "body":
        copy.change(("UPDATE record SET body = ? WHERE sequence = ?", (data, at)))
        chained = what == "changed" and path in ("ledger", "sequence", "previous") or (
            what == "changed" and path == "type" and corpus.records[at]["type"] in ("genesis", "writer_start"))  # to genesis
        wanted = {7} if chained else {6}
    elif how == "leaf":
        copy.change(("UPDATE record SET body = ?, leaf = ? WHERE sequence = ?", (data, body.leaf_of(data), at)))
        wanted = {3} if last else {7}
    else:
        made = [body.encode(record).encode() for record in corpus.records[:at]] + [data]
        for record in corpus.records[at + 1:]:
            made.append(body.encode(dict(record, previous=body.leaf_of(made[-1]).hex())).encode())
        copy.put_chain(made, at)
        wanted = {6, 7, 9} if at < corpus.signed_to else {0, 1, 6, 7, 9}  # nothing signs the tail yet
    corpus.expect(name, copy, wanted)


def tamper_records(corpus):
    """Rows removed, swapped, put in, twice, cut off; and the same with the mark made to fit."""
    count = len(corpus.records)
    columns = "body, leaf, " + "time, type, mission, call, answers, server, tool, decision, status"
    for at in range(count):
        copy, last = corpus.copy(), at == count - 1
        copy.change("DELETE FROM record WHERE sequence = %d" % at)
        corpus.expect("records: %d removed" % at, copy, {3} if last else {7})
        copy = corpus.copy()
        copy.change("UPDATE record SET sequence = -1 - sequence WHERE sequence >= %d" % at,
                    "INSERT INTO record SELECT %d, %s FROM record WHERE sequence = %d" % (at, columns, -1 - at if at else -1),
                    "UPDATE record SET sequence = -sequence WHERE sequence < 0")
        corpus.expect("records: %d twice" % at, copy, {3, 7})
        copy = corpus.copy()
        copy.change("INSERT INTO record SELECT %d, %s FROM record WHERE sequence = %d" % (count, columns, at))
        corpus.expect("records: %d again at the end" % at, copy, {7})
        if last:
            continue
        copy = corpus.copy()
        copy.change("UPDATE record SET sequence = -2 WHERE sequence = %d" % at,
                    "UPDATE record SET sequence = %d WHERE sequence = %d" % (at, at + 1),
                    "UPDATE record SET sequence = %d WHERE sequence = -2" % (at + 1))
        corpus.expect("records: %d and %d swapped" % (at, at + 1), copy, {3} if at + 1 == count - 1 else {7})
        copy = corpus.copy()
        copy.change("DELETE FROM record WHERE sequence > %d" % at, "DELETE FROM payload WHERE id / 64 > %d" % at)
        corpus.expect("records: cut after %d" % at, copy, {3})
        copy.write_mark(at, body.leaf_of(body.encode(corpus.records[at]).encode()))
        corpus.expect("records: cut after %d, with the mark" % at, copy, {3} if at + 1 < corpus.signed_to else {0, 6})
    copy = corpus.copy()
    copy.change("DELETE FROM record")
    corpus.expect("records: all removed", copy, {3})
    copy.change("INSERT INTO record(sequence, body, leaf) VALUES(-1, x'00', x'00')")
    corpus.expect("records: one before the first", copy, {3})


def tamper_payloads(corpus):
    rows = corpus.copy().read("SELECT id, same FROM payload ORDER BY id")

    def change(name, wanted, *statements):
        copy = corpus.copy()
        copy.change(*statements)
        corpus.expect("payloads: " + name, copy, wanted)

    for place, (at, same) in enumerate(rows):
        change("%d removed" % at, {8}, "DELETE FROM payload WHERE id = %d" % at)
        change("%d without a commitment" % at, {6},
               "INSERT INTO payload SELECT %d, slot, salt, codec, key, same, bytes FROM payload WHERE id = %d" % (at + 9, at))
        for set_ in ("salt = zeroblob(32)", "salt = x'00'", "slot = slot || 'x'", "codec = 1 - codec", "codec = 2",
                     "codec = codec + 4294967296", "key = key + 1", "same = id", "same = 1", "same = id + 64", "bytes = NULL",
                     "bytes = x''", "bytes = CAST(bytes || x'00' AS BLOB)", "bytes = zeroblob(length(bytes))", "key = -1"):
            if same is None or set_ not in ("bytes = NULL", "bytes = CAST(bytes || x'00' AS BLOB)", "bytes = zeroblob(length(bytes))"):
                change("%d, %s" % (at, set_), {6}, "UPDATE payload SET %s WHERE id = %d" % (set_, at))
        other = rows[(place + 1) % len(rows)][0]
        for what in "salt, codec, key, same, bytes", "bytes", "key", "salt":
            pairs_ = ", ".join("%s = (SELECT %s FROM payload AS p WHERE p.id = %d)" % (name, name, other)
                               for name in what.split(", "))
            alike = "EXISTS (SELECT 1 FROM payload a, payload b WHERE a.id = %d AND b.id = %d AND %s)" % (
                at, other, " AND ".join("a.%s IS b.%s" % (name, name) for name in what.split(", ")))
            if corpus.copy().read("SELECT " + alike) == [(0,)]:
                change("%d has %s of %d" % (at, what, other), {6}, "UPDATE payload SET %s WHERE id = %d" % (pairs_, at))
    for set_ in "mission = 'm-2'", "mission = ''", "wrapped = zeroblob(60)", "wrapped = x'00'", "id = id + 1", \
            "wrapped = coalesce((SELECT wrapped FROM cipher AS c WHERE c.id != cipher.id LIMIT 1), zeroblob(60))":
        for (key,) in corpus.copy().read("SELECT id FROM cipher WHERE mission != ''"):
            change("key %d, %s" % (key, set_), {6}, "UPDATE cipher SET %s WHERE id = %d" % (set_, key))
    change("all keys removed", {6}, "DELETE FROM cipher")
    change("a key that seals nothing", {6}, "INSERT INTO cipher SELECT 7, mission, wrapped FROM cipher WHERE mission != '' LIMIT 1")
    # Without its key what is sealed stays sealed: the second verifier says so, callgate has to open everything.
    for name, key, first, second in ("no key", None, 1, 0), ("another key", "ab" * 32 + "\n", 6, 6):
        corpus.expect_each("payloads: " + name, corpus.copy(name="keyless").with_payloads_key(key), first, second)


def tamper_derived(corpus):
    """Every column of every derived table and row, a row too many, a row too few."""
    for table in "mission", "ask", "grant", "hold", "trust", "state", "part":
        columns = corpus.copy().read('SELECT name, type, pk FROM pragma_table_info(?)', table)
        key = [name for name, _, pk in columns if pk]
        for row in corpus.copy().read('SELECT %s FROM "%s"' % (", ".join(key), table)):
            where = " AND ".join("%s = ?" % name for name in key)
            copy = corpus.copy()
            copy.change(('DELETE FROM "%s" WHERE %s' % (table, where), row))
            corpus.expect("derived: %s %s removed" % (table, row), copy, {6})
            for name, type_, pk in columns:
                for set_ in {"INTEGER": ["%s + 1000"], "TEXT": ["%s || 'x'", "''"],
                             "BLOB": ["zeroblob(length(%s) + 1)", "CAST(%s || %s AS BLOB)", "CAST(x'ff' || coalesce(substr(%s, 2), '') AS BLOB)"]}[type_]:
                    copy = corpus.copy()
                    copy.change(('UPDATE "%s" SET "%s" = %s WHERE %s' % (table, name, set_.replace("%s", '"%s"' % name), where), row))
                    same = copy.read('SELECT * FROM "%s"' % table) == corpus.copy(name="other").read('SELECT * FROM "%s"' % table)
                    if not same:
                        corpus.expect("derived: %s %s, %s = %s" % (table, row, name, set_), copy, {6})
        copy = corpus.copy()
        new = {"INTEGER": 7, "TEXT": "x", "BLOB": bytes(32)}
        states = {"mission": {"state": "active"}, "ask": {"state": "open"}, "hold": {"scope": "all"}}.get(table, {})
        copy.change(('INSERT INTO "%s" VALUES(%s)' % (table, ", ".join("?" * len(columns))),
                     [states.get(name, b"" if name == "policies" else new[type_]) for name, type_, _ in columns]))
        corpus.expect("derived: %s has a row more" % table, copy, {6})
    seen = set()
    for at, record in enumerate(corpus.records):
        for name in "time", "type", "mission", "call", "answers", "server", "tool", "decision", "status":
            if record["type"] in seen and not corpus.all:
                continue
            other = "coalesce(%s, 0) + 1" if name in ("time", "call", "answers") else "coalesce(%s, '') || 'x'"
            copy = corpus.copy()
            copy.change("UPDATE record SET %s = %s WHERE sequence = %d" % (name, other % name, at))
            corpus.expect("derived: column %s of record %d" % (name, at), copy, {6})
        seen.add(record["type"])


def tamper_schema(corpus):
    for sql in ("CREATE INDEX more ON record(mission)", "CREATE TRIGGER more AFTER INSERT ON record BEGIN SELECT 1; END",
                "CREATE TABLE more(x)", "DROP TRIGGER record_update", "DROP TABLE cipher", "CREATE VIEW more AS SELECT 1",
                "ALTER TABLE record RENAME TO hidden; CREATE VIEW record AS SELECT * FROM hidden",
                "ALTER TABLE payload RENAME TO hidden; CREATE VIEW payload AS SELECT * FROM hidden",
                "ALTER TABLE ask RENAME TO hidden; CREATE VIEW ask AS SELECT * FROM hidden",
                "ALTER TABLE payload ADD COLUMN more TEXT", "ALTER TABLE trust RENAME COLUMN ended TO over", "PRAGMA user_version = 2",
                "PRAGMA application_id = 7", "ANALYZE", "CREATE VIRTUAL TABLE more USING fts5(x)",
                "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'leaf BLOB', 'leaf  BLOB')",
                "DROP TRIGGER cipher_update; CREATE TRIGGER cipher_update BEFORE UPDATE ON cipher BEGIN SELECT 1; END"):
        copy = corpus.copy()
        copy.run(sql)
        corpus.expect("schema: " + sql, copy, {1})


ALL = {"bodies": tamper_bodies, "records": tamper_records, "payloads": tamper_payloads, "derived": tamper_derived,
       "schema": tamper_schema, **rebuilt.ALL, **damaged.ALL, **vectors.ALL}
