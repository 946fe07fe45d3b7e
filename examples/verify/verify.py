#!/usr/bin/env python3
"""verify.py FOLDER [--key VERIFIER-KEY]...

Checks the ledger in FOLDER against ledger/FORMAT.md, with Python's standard library and none of callgate's code. Says
what `callgate ledger verify` says, with the same exit codes (ledger/README.md). Reads a private copy; changes nothing.
--key: the verifier key of the first checkpoints that the ledger must have (`ledgers` in the operator's configuration).
"""
import sys

sys.dont_write_bytecode = True
import hashlib  # noqa: E402
import sqlite3
import struct
import zlib

import files
from body import Refused, decode, digest, leaf_of
from checkpoint import Tree, note_trouble, verifier_key
from crypto import opened
from custody import Removals
from references import References
from schema import OBJECTS
from state import State

KINDS = {"purge": 8, "chain": 7, "altered": 6, "checkpoint": 9, "history": 1}  # the gravest first, with exit codes
GAP_MAX = 4096  # records between two checkpoints
# Also values of a type that their column does not have, and messages of SQLite that quote damaged text.
DAMAGE = (sqlite3.DatabaseError, AttributeError, TypeError, UnicodeDecodeError)
COLUMNS = "time type mission call answers server tool decision status".split()


class Report:
    def __init__(self):
        self.level, self.ledger, self.loss, self.wal, self.first_key = "INCONSISTENT", "", "", "", ""
        self.records = self.payloads = self.sealed = self.checkpoints = self.signed = 0
        self.head, self.pinned, self.findings, self.notes = None, False, [], []

    def add(self, kind, sequence, what):
        self.findings.append((kind, sequence, what))

    def kind(self):
        return next((kind for kind in KINDS if any(kind == each[0] for each in self.findings)), None)

    def exit(self):
        if self.loss:
            return 10 if self.wal else 3
        return KINDS[self.kind()] if self.findings else 0

    def conclude(self):
        signed = self.pinned and self.signed > 0
        self.level = ("LOST" if self.loss else "INCONSISTENT" if self.findings else "SIGNED" if signed else "SELF-CONSISTENT")
        return self


class Verifier:
    def __init__(self, database, wrapping_key, mark, pins):
        self.database, self.wrapping_key, self.mark, self.pins = database, wrapping_key, mark, pins
        self.report, self.state, self.tree = Report(), State(), Tree()
        self.references = References(lambda at, what, kind="history": self.report.add(kind, at, what))
        self.removals, self.signed_sizes = Removals(lambda at, what: self.report.add("purge", at, what)), set()
        self.keys, self.payloads_seen, self.last, self.leaf_at_mark, self.loss = {}, set(), None, None, ""

    def rows(self, sql, *values):
        return self.database.execute(sql, values)

    def check(self, mark_trouble):
        if self.check_schema():
            self.notes = dict(self.rows("SELECT size, note FROM checkpoint"))
            self.sizes, self.signed_at, self.missions, self.signed_tree = sorted(self.notes), 0, set(), None
            try:
                self.check_records()
            except DAMAGE as error:
                self.report.add("altered", self.report.head, "the database is damaged from here on: %s" % error)
            self.check_derived()
            self.report.loss = self.loss_of(mark_trouble) or self.loss
            for (line,) in self.rows("PRAGMA quick_check(10)"):
                if line != b"ok":
                    self.report.add("altered", None, "SQLite: %s" % line.decode("utf-8", "replace"))

    def check_schema(self):
        """False: nothing else can be read sensibly."""
        for pragma, right in ("application_id", 0x63676C31), ("user_version", 1):
            if self.rows("PRAGMA " + pragma).fetchone() != (right,):
                self.report.add("history", None, "the database's %s is not a ledger's" % pragma)
        there = {(kind.decode(), name.decode(errors="replace")): sql for kind, name, sql in
                 self.rows("SELECT type, name, sql FROM sqlite_schema")}
        there = {name: sql for name, sql in there.items()
                 if not (name[0] == "index" and name[1].startswith("sqlite_autoindex_") and sql is None)}
        for name, sql in there.items():
            if sql is None or OBJECTS.get(name, "").encode() != sql:
                self.report.add("history", None, "the schema holds a %s `%s` that is not a ledger's" % name)
        lacks = [name for name, sql in OBJECTS.items() if there.get(name) != sql.encode()]
        for name in lacks:
            self.report.add("history", None, "the schema lacks the %s `%s`" % name)
        return not any(kind == "table" for kind, name in lacks)

    # ---- records in order

    def check_records(self):
        expected = 0
        for sequence, body, stored, *columns in self.rows(
                "SELECT sequence, body, leaf, %s FROM record ORDER BY sequence" % ", ".join(COLUMNS)):
            if sequence < 0:
                self.report.add("chain", None, "a row has a negative sequence")
                continue
            if sequence != expected:
                self.report.add("chain", sequence, "records %d to %d are missing" % (expected, sequence - 1))
            body, stored = (each if isinstance(each, bytes) else b"" for each in (body, stored))
            expected, leaf = sequence + 1, leaf_of(body)
            self.report.records, self.report.head = self.report.records + 1, sequence
            if stored != leaf:
                self.report.add("altered", sequence, "the leaf is not that of the body")
            if self.mark and self.mark[0] == sequence:
                self.leaf_at_mark = stored
            self.check_record(sequence, body, leaf, stored, columns)
        self.pass_last(None)
        self.finish_checkpoints()
        self.removals.finish()
        for (extra,) in self.rows("SELECT id FROM payload ORDER BY id"):
            if extra not in self.payloads_seen:
                self.report.add("altered", extra // 64 if extra >= 0 else None, "a payload row stands without a commitment")
        for key, mission in self.rows("SELECT id, mission FROM cipher ORDER BY id"):
            if (key not in self.keys and mission != b"") or not 1 <= key < 2**48:
                self.report.add("altered", None, "key %d seals no payload, or has an id that none has" % key)

    def check_record(self, sequence, body, leaf, stored, columns):
        try:
            record = decode(body)
        except Refused as why:
            self.pass_last(None)
            self.last = (leaf, stored, "")
            return self.report.add("altered", sequence, "the body is refused: %s" % why)
        self.pass_last(record["previous"])
        self.last = (leaf, stored, record.get("mission", ""))
        self.check_head(record, sequence)
        for name, there, right in zip(COLUMNS, columns, columns_of(record)):
            if there != right:
                self.report.add("altered", sequence, "the derived column `%s` differs from the body" % name)
        self.references.check(record, self.state)
        self.removals.add(record, self.state, self.signed_sizes)
        self.references.remember(record, leaf)
        self.state.apply(record, leaf)
        if record["sequence"] != sequence:
            return  # it was moved: its payloads stay where it was
        for position, commitment in enumerate(record.get("payloads", [])):
            self.check_payload(record, sequence, position, commitment)

    def check_head(self, record, sequence):
        details = record.get("details", {})
        self.report.ledger = self.report.ledger or record["ledger"]
        if record["sequence"] != sequence:
            self.report.add("chain", sequence, "the body states another sequence")
        if record["ledger"] != self.report.ledger:
            self.report.add("chain", sequence, "the record belongs to another ledger")
        if (record["type"] == "genesis") != (sequence == 0):
            self.report.add("chain", sequence, "the first record is not genesis, or there is a second")
        if sequence == 0 and (details.get("format") != "1" or not digest(details.get("operator_key"))):
            self.report.add("history", 0, "genesis states another format, or no operator key")
        if record["type"] == "key_rotation" and self.signed_at != self.tree.size:
            self.report.add("checkpoint", sequence, "the key changes here, and no checkpoint by the key before stands")
        if record["type"] == "degraded" and details.get("reason") == "loss_adopted":
            self.report.notes.append("record %d: the operator adopted a loss here: records before it may be gone" % sequence)

    def pass_last(self, previous):
        """Takes up the record before. Where its body and leaf differ, what the next one says is its leaf counts."""
        last, self.last = self.last, None
        if previous is not None and previous not in ([each.hex() for each in last[:2]] if last else ["00" * 32]):
            self.report.add("chain", self.report.head, "`previous` is not the leaf before")
        if last:
            self.tree.add(last[1] if previous == last[1].hex() else last[0])
            self.missions |= {last[2].encode()} - {b""}
            self.check_checkpoints()

    # ---- checkpoints

    def check_checkpoints(self):
        key = digest(self.state.checkpoint_key)
        if self.tree.size == 1 and key:
            self.report.first_key = verifier_key(self.report.ledger, key)
            self.report.pinned = self.report.first_key in self.pins
        if self.tree.size == 1 and (not key or (self.pins and not self.report.pinned)):
            self.report.add("checkpoint", 0, "its first key, %s, is none of those that are pinned" % self.report.first_key
                            if key else "genesis holds no key that signs checkpoints")
        while self.sizes and self.sizes[0] <= self.tree.size:
            size = self.sizes.pop(0)
            parts = {mission for (mission,) in self.rows("SELECT mission FROM part WHERE size = ?", size)}
            if parts != self.missions:
                self.report.add("altered", size - 1, "the derived table `part` differs from what the records give")
            self.missions = set()
            if size != self.tree.size:
                self.report.add("checkpoint", None, "a checkpoint signs no records")
                continue
            self.check_gap(size)
            self.signed_tree = self.tree.text()
            trouble = note_trouble(self.notes[size], self.report.ledger, self.tree, key)
            if trouble:
                self.report.add("checkpoint", size - 1, "its checkpoint " + trouble)
            else:
                self.report.checkpoints, self.report.signed = self.report.checkpoints + 1, size
                self.signed_sizes.add(size)

    def check_gap(self, size):
        if size > self.signed_at + GAP_MAX:
            self.report.add("checkpoint", None, "a checkpoint is missing between %d and %d records" % (self.signed_at, size))
        self.signed_at = size

    def finish_checkpoints(self):
        self.check_gap(self.tree.size)
        for size in self.sizes:
            what = "a checkpoint signs the first %d records, and there are %d" % (size, self.tree.size)
            if self.report.head is None or size > self.report.head + 1:
                self.loss = what
            else:  # records are missing before the head: the chain tells which
                self.report.add("checkpoint", None, what)
        if self.rows("SELECT count(*) FROM part WHERE size NOT IN (SELECT size FROM checkpoint)").fetchone() != (0,):
            self.report.add("altered", None, "the derived table `part` has a row too many")
        tree = self.rows("SELECT value FROM state WHERE name = 'tree'").fetchone()
        if not self.loss and (tree[0].decode("utf-8", "replace") if tree else None) != self.signed_tree:
            self.report.add("altered", None, "the derived table `state` differs from the tree at the last checkpoint")

    # ---- payloads

    def check_payload(self, record, sequence, position, commitment):
        at = sequence * 64 + position
        row = self.rows("SELECT slot, salt, codec, key, same, bytes FROM payload WHERE id = ?", at).fetchone()
        self.payloads_seen.add(at)
        if row is None:
            return self.removals.missing(record, commitment["slot"])
        trouble = self.payload_trouble(record.get("mission", ""), at, commitment, *row)
        if trouble:
            self.report.add("altered", sequence, "payload `%s` %s" % (commitment["slot"], trouble))

    def payload_trouble(self, mission, at, commitment, slot, salt, codec, key, same, sealed):
        if slot != commitment["slot"].encode() or len(salt) != 32:
            return "has a wrong slot or salt"
        if key not in self.keys:
            row = self.rows("SELECT mission, wrapped FROM cipher WHERE id = ?", key).fetchone()
            self.keys[key] = (row and row[0], row and self.wrapping_key and opened(
                self.wrapping_key, row[1][:12], b"%d\n" % key + row[0], row[1][12:]))
        of, secret = self.keys[key]
        if of != mission.encode() or (self.wrapping_key and (not secret or len(secret) != 32)):
            return "is sealed with a key that is not there, does not open, or is another mission's"
        holder = salt
        if same is not None:
            held = self.rows("SELECT salt, codec, key, same, bytes FROM payload WHERE id = ?", same).fetchone()
            if same >= at or codec != 0 or sealed is not None or not held or held[2] != key or held[3] is not None:
                return "has a wrong reference, codec or bytes"
            holder, codec, sealed = held[0], held[1], held[4]
        if codec not in (0, 1) or sealed is None:
            return "has an unknown codec, or no bytes"
        if not self.wrapping_key:
            self.report.sealed += 1
            return "has another size" if codec == 0 and len(sealed) != commitment["size"] + 16 else None
        data = opened(secret, holder[:12], holder, sealed)
        if data is None:
            return "does not open with its key"
        if codec == 1:
            stream = zlib.decompressobj()
            try:
                data = stream.decompress(data, commitment["size"] + 1)
            except zlib.error:
                return "does not decompress"
            if not stream.eof or stream.unused_data:
                return "is more or less than one stream of its size"
        if len(data) != commitment["size"] or hashlib.sha256(
                b"plc1\0" + salt + struct.pack(">Q", len(data)) + data).hexdigest() != commitment["digest"]:
            return "does not match its commitment"
        self.report.payloads += 1
        return None

    # ---- at the end

    def check_derived(self):
        for table, right in self.state.tables().items():
            there = set(self.rows('SELECT * FROM "%s"' % table))
            for row in there ^ set(right):
                self.report.add("altered", right.get(row), "the derived table `%s` differs from what the records give" % table)
        there = {name: value for name, value in self.rows("SELECT name, value FROM state") if name != b"tree"}
        right = {b"operator_key": self.state.operator_key, b"checkpoint_key": self.state.checkpoint_key}
        if there != {name: value.encode() for name, value in right.items() if value is not None}:
            self.report.add("altered", 0, "the derived table `state` differs from what the records give")

    def loss_of(self, mark_trouble):
        head = self.report.head
        if head is None:
            self.report.add("chain", None, "the ledger has no record")
        if not self.mark:
            only_made = mark_trouble == "missing" and head == 0  # its creator was killed before the mark
            return "" if only_made else "the high-water mark is %s: how many records there were cannot be told" % mark_trouble
        if head is None or head < self.mark[0]:
            return "the high-water mark names record %d, and the head is %s" % (self.mark[0], head)
        return "" if self.leaf_at_mark == self.mark[1] else "record %d is not the one that the mark names" % self.mark[0]


def columns_of(record):
    """As they stand in the database: texts as bytes."""
    values = [int(record["time"]), record["type"], record.get("mission"), record.get("call"),
              record.get("answers", {}).get("sequence"), record.get("server"), record.get("capability", {}).get("tool") or None,
              record.get("decision"), record.get("outcome", {}).get("status")]
    return [value.encode() if isinstance(value, str) else value for value in values]


def verify(folder, pins=()):
    """files.NoLedger: there is none. files.Unreadable: it cannot be read."""
    with files.private_copy(folder) as copy:
        mark, mark_trouble = files.read_mark(copy)
        log = files.read(copy, "ledger.db-wal") or b""  # before SQLite makes up its mind about it
        verifier = Verifier(None, files.payloads_key(folder), mark, pins)
        report = verifier.report
        try:
            verifier.database = files.open_database(copy)
            if verifier.database is not None:
                verifier.check(mark_trouble)
            elif mark_trouble == "missing":
                raise files.NoLedger("there is no ledger")
            else:
                report.loss = "the database is gone or empty, and its high-water mark stands"
        except DAMAGE as error:
            if files.is_trouble_of_the_disk(error):
                raise files.Unreadable(str(error))
            report.add("altered", None, "the database is damaged: %s" % error)
        finally:
            if verifier.database is not None:
                verifier.database.close()
        report.wal = files.wal_trouble(log) if report.loss else ""
    return report.conclude()


def printable(value):
    return "".join(each if each.isprintable() else "\\u%04x" % ord(each) for each in str(value))[:500]


def show(report):
    kind = " (%s)" % report.kind() if report.level == "INCONSISTENT" else ""
    print("%s%s: %d records, %d payloads" % (report.level, kind, report.records, report.payloads))
    if report.loss:
        print("loss: " + printable(report.loss + ("; " + report.wal if report.wal else "")))
    for kind, sequence, what in report.findings[:100]:
        print("finding: %s%s" % ("" if sequence is None else "record %d: " % sequence, printable(what)))
    for note in report.notes:
        print("note: " + printable(note))
    if report.sealed:
        print("sealed: %d payloads were not opened, since keys/payloads.key is not there" % report.sealed)
    if report.signed:
        print("signed: records 0 to %d, by %d checkpoints; first key %s (%spinned)" % (
            report.signed - 1, report.checkpoints, report.first_key, "" if report.pinned else "not "))
    first = report.signed if report.level == "SIGNED" else 0
    print("could be dropped or rewritten unnoticed: " + (
        "records %d to %s" % (first, report.head) if report.head is None or first <= report.head else "nothing")
        + (", by who has not its key" if report.level == "SIGNED" else ", by whoever can write the ledger's files"))


def main(words):
    pins = {words[i + 1] for i in range(1, len(words) - 1, 2) if words[i] == "--key"}
    if len(words) % 2 == 0 or len(pins) != len(set(words[2::2])) or words[:1] == ["--help"]:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        report = verify(words[0], pins)
    except files.NoLedger as why:
        print(why, file=sys.stderr)
        return 1
    except (files.Unreadable, OSError) as why:
        print("it cannot be read: %s" % printable(why), file=sys.stderr)
        return 4
    show(report)
    return report.exit()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
