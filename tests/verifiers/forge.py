"""A copy of a ledger, and what whoever can write its files can do to it: from one changed byte to all made anew."""
import base64
import hashlib
import os
import shutil
import sqlite3

import body
import checkpoint
import crypto
import custody
import schema
import state
import verify

TRIGGERS = [(name, sql) for (kind, name), sql in schema.OBJECTS.items() if kind == "trigger"]
CUSTODY = ("hold_set", "hold_released", "purge", "erase")
COLUMNS = "time, type, mission, call, answers, server, tool, decision, status"


def empty_log(folder):
    """All that the write-ahead log holds goes into the database."""
    database = sqlite3.connect(os.path.join(folder, "ledger.db"))
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def sign(seed, message):
    """Ed25519 (RFC 8032, 5.1.6)."""
    half = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(half[:32], "little") & (2**254 - 8) | 2**254
    key = crypto.bytes_of(crypto.multiply(scalar, crypto.BASE))
    nonce = int.from_bytes(hashlib.sha512(half[32:] + message).digest(), "little") % crypto.ORDER
    point = crypto.bytes_of(crypto.multiply(nonce, crypto.BASE))
    challenge = int.from_bytes(hashlib.sha512(point + key + message).digest(), "little") % crypto.ORDER
    return point + ((nonce + challenge * scalar) % crypto.ORDER).to_bytes(32, "little")


def public_key(seed):
    half = hashlib.sha512(seed).digest()
    return crypto.bytes_of(crypto.multiply(int.from_bytes(half[:32], "little") & (2**254 - 8) | 2**254, crypto.BASE))


def note(ledger, tree, seed):
    origin = "callgate/ledger/" + ledger
    text = "%s\n%d\n%s\n" % (origin, tree.size, base64.b64encode(tree.root()).decode())
    line = base64.b64encode(checkpoint.key_id(origin, public_key(seed)) + sign(seed, text.encode())).decode()
    return (text + "\n\u2014 %s %s\n" % (origin, line)).encode()


def mark_of(sequence, leaf):
    head = b"cgmark1\0" + sequence.to_bytes(8, "big") + leaf
    return head + hashlib.sha256(head).digest()[:16]


def signed_text(record, decision):
    """What the operator signs (FORMAT.md, «Operator's signature»)."""
    if record["type"] in CUSTODY:
        return custody.custody_text(record)
    by, details, none = record["operator"], record.get("details", {}), hashlib.sha256(b"").hexdigest()
    if record["type"] == "policy_trusted":
        lines = ["callgate trust 1", record["ledger"], details["workspace"], record["policy"]]
    else:
        at = record["answers"]
        lines = ["callgate %s 1" % record["type"], record["ledger"], str(at["sequence"]), at["leaf"]]
        lines += [decision["capability"]["call"]] if record["type"] == "answer" else []
    lines += [by["answer"], by["level"], by["valid_until"]]
    if record["type"] == "answer":
        lines += [details.get("rationale", none)]
    if record["type"] == "grant":
        lines += [details.get("scope", "none"), *(details.get(key, none) for key in ("rule", "same", "rationale"))]
    return "".join(line + "\n" for line in lines).encode()


class Copy:
    """Of a ledger whose write-ahead log is empty. `database` may do anything; triggers are put back by change()."""

    def __init__(self, base, folder):
        self.base, self.folder = base, folder
        if not os.path.exists(folder):
            shutil.copytree(base, folder)
        for name in "ledger.db-wal", "ledger.db-shm", "ledger.lock":
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        for name in "ledger.db", "ledger.mark":
            shutil.copyfile(os.path.join(base, name), self.path(name))
        shutil.copy(os.path.join(base, "keys/payloads.key"), self.path("keys/payloads.key"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def key(self, name):
        with open(os.path.join(self.base, "keys", name + ".key")) as file:
            return bytes.fromhex(file.read().strip())

    def with_payloads_key(self, text):
        """None: there is none."""
        os.remove(self.path("keys/payloads.key"))
        if text is not None:
            with open(os.open(self.path("keys/payloads.key"), os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
                file.write(text)
        return self

    def change(self, *statements):
        """Each is SQL, or (SQL, values)."""
        database = sqlite3.connect(self.path("ledger.db"), isolation_level=None)
        database.execute("PRAGMA synchronous = OFF")
        database.execute("BEGIN")
        there = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")}
        for name, _ in TRIGGERS:
            database.execute("DROP TRIGGER IF EXISTS " + name)
        for each in statements:
            database.execute(*([each] if isinstance(each, str) else each))
        for name, sql in TRIGGERS:
            if name in there:
                database.execute(sql)
        database.execute("COMMIT")
        database.close()

    def run(self, script):
        database = sqlite3.connect(self.path("ledger.db"))
        database.executescript(script)
        database.close()

    def read(self, sql, *values):
        database = sqlite3.connect(self.path("ledger.db"))
        rows = database.execute(sql, values).fetchall()
        database.close()
        return rows

    def bodies(self):
        return [row[0] for row in self.read("SELECT body FROM record ORDER BY sequence")]

    def write_mark(self, sequence, leaf):
        with open(self.path("ledger.mark"), "wb") as file:
            file.write(mark_of(sequence, leaf))

    def flip(self, name, at, bit=1):
        with open(self.path(name), "r+b") as file:
            file.seek(at)
            byte = file.read(1)[0]
            file.seek(at)
            file.write(bytes([byte ^ bit]))

    def put(self, sequence, record):
        """One record anew, by its own rules; what chains to it is left alone."""
        self.change(*row_statements(sequence, body.encode(record).encode(), record))

    def put_chain(self, bodies, first, mark=True):
        """The bodies from `first` on, as they are; each must state the leaf before itself (rechained())."""
        self.change(*(statement for sequence in range(first, len(bodies))
                      for statement in row_statements(sequence, bodies[sequence], None)))
        if mark:
            self.write_mark(len(bodies) - 1, body.leaf_of(bodies[-1]))

    def rebuild(self, records, ledger_seed=None, operator_seed=None):
        """All made anew, and well: chain, references, columns, derived tables, payloads, mark. Checkpoints that still hold
        stay; the others are signed anew with the ledger's key, or go where it is not given. With the operator's key the
        operator's records are signed anew."""
        bodies = rechained(records, 0, operator_seed)
        moved = {record["sequence"]: sequence for sequence, record in enumerate(records)}
        records, leaves = [body.decode(each) for each in bodies], [body.leaf_of(each) for each in bodies]
        statements = ["DELETE FROM record", *self.payload_statements(records, moved)]
        statements += [each for sequence, record in enumerate(records)
                       for each in row_statements(sequence, bodies[sequence], record)]
        statements += self.derived_statements(records, leaves, ledger_seed)
        self.change(*statements)
        self.write_mark(len(bodies) - 1, leaves[-1])

    def payload_statements(self, records, moved):
        """Payloads go with the records that they belong to."""
        rows = self.read("SELECT id, slot, salt, codec, key, same, bytes FROM payload ORDER BY id")
        place = lambda at: None if at is None else moved[at // 64] * 64 + at % 64
        kept = [row for row in rows if row[0] // 64 in moved and (row[5] is None or row[5] // 64 in moved)
                and row[0] % 64 < len(records[moved[row[0] // 64]].get("payloads", []))]
        return ["DELETE FROM payload", *(("INSERT INTO payload VALUES(?, ?, ?, ?, ?, ?, ?)",
                                          (place(row[0]), *row[1:5], place(row[5]), row[6])) for row in kept),
                "DELETE FROM cipher WHERE mission != '' AND id NOT IN (SELECT key FROM payload)"]

    def derived_statements(self, records, leaves, ledger_seed):
        old = dict(self.read("SELECT size, note FROM checkpoint"))
        fold, tree, missions, text = state.State(), checkpoint.Tree(), set(), None
        statements = ["DELETE FROM checkpoint", "DELETE FROM part", "DELETE FROM state"]
        for record, leaf in zip(records, leaves):
            fold.apply(record, leaf)
            tree.add(leaf)
            missions |= {record["mission"]} if "mission" in record else set()
            if tree.size not in old:
                continue
            stays = not checkpoint.note_trouble(old[tree.size], record["ledger"], tree, body.digest(fold.checkpoint_key))
            if not stays and not ledger_seed:
                continue
            row = (tree.size, old[tree.size] if stays else note(record["ledger"], tree, ledger_seed))
            statements += [("INSERT INTO checkpoint VALUES(?, ?)", row)]
            statements += [("INSERT INTO part VALUES(?, ?)", (tree.size, mission)) for mission in missions]
            missions, text = set(), tree.text()
        keys = [("operator_key", fold.operator_key), ("checkpoint_key", fold.checkpoint_key), ("tree", text)]
        statements += [("INSERT INTO state VALUES(?, ?)", row) for row in keys if row[1] is not None]
        for table, rows in fold.tables().items():
            statements.append('DELETE FROM "%s"' % table)
            texts = {"mission": (0, 2), "ask": (2, 3, 4, 5, 7), "grant": (2,), "hold": (2, 3), "trust": ()}[table]
            statements += [('INSERT INTO "%s" VALUES(%s)' % (table, ", ".join("?" * len(row))),
                            [each.decode() if place in texts else each for place, each in enumerate(row)]) for row in rows]
        return statements


def row_statements(sequence, data, record):
    """Columns are made of `record`, or stay."""
    if record is None:
        return [("UPDATE record SET body = ?, leaf = ? WHERE sequence = ?", (data, body.leaf_of(data), sequence))]
    columns = [each.decode() if isinstance(each, bytes) else each for each in verify.columns_of(record)]
    return [("INSERT OR REPLACE INTO record(sequence, body, leaf, %s) VALUES(?, ?, ?%s)" % (COLUMNS, ", ?" * 9),
             [sequence, data, body.leaf_of(data), *columns])]


def rechained(records, first, operator_seed=None):
    """Bodies: from `first` on sequence, previous and the leaves that are answered are made right, and signed anew."""
    bodies, moved = [], {}
    records = [dict(record) for record in records]
    for sequence, record in enumerate(records):
        before = record["sequence"]
        if sequence >= first:
            record["sequence"] = sequence
            record["previous"] = body.leaf_of(bodies[-1]).hex() if bodies else "00" * 32
            if "answers" in record and record["answers"]["sequence"] in moved:
                to = moved[record["answers"]["sequence"]]
                record["answers"] = {"sequence": to, "leaf": body.leaf_of(bodies[to]).hex()}
            details = dict(record.get("details", {}))
            for key in {"grants", "joins"} & set(details):
                details[key] = " ".join(str(moved.get(int(each), each)) for each in details[key].split(" "))
                record["details"] = details
            if operator_seed and record["type"] in ("answer", "grant", "policy_trusted") + CUSTODY:
                decision = records[record["answers"]["sequence"]] if "answers" in record else None
                record["operator"] = dict(record["operator"], key=public_key(operator_seed).hex())
                record["operator"]["signature"] = sign(operator_seed, signed_text(record, decision)).hex()
        moved[before] = sequence
        bodies.append(body.encode(record).encode())
    return bodies
