"""Ledgers that are made anew as a whole or in part, so that all hashes fit: what that needs, and what it leaves to see."""
import os

import bodies
import body
import checkpoint
import forge

OWN_LEDGER_KEY, OWN_OPERATOR_KEY = bytes([8]) * 32, bytes([9]) * 32
BY_OPERATOR = ("answer", "grant", "policy_trusted") + forge.CUSTODY


def with_keys(records, ledger_seed=None, operator_seed=None):
    """The same with these keys in genesis."""
    details = dict(records[0]["details"])
    if ledger_seed:
        details["checkpoint_key"] = forge.public_key(ledger_seed).hex()
    if operator_seed:
        details["operator_key"] = forge.public_key(operator_seed).hex()
    return [dict(records[0], details=details), *records[1:]]


class Plain:
    """The sample without its rotation: one key signs all checkpoints, and is at hand."""

    def __init__(self, corpus):
        self.corpus, self.folder = corpus, os.path.join(corpus.folder, "plain")
        copy = corpus.copy(name="plain")
        self.ledger, self.operator = copy.key("ledger"), copy.key("operator")
        records = [record for record in corpus.records if record["type"] != "key_rotation"]
        copy.rebuild(with_keys(records, self.ledger), self.ledger, self.operator)
        self.records = [body.decode(each) for each in copy.bodies()]
        self.pin = checkpoint.verifier_key(records[0]["ledger"], forge.public_key(self.ledger))

    def copy(self):
        return self.corpus.copy(self.folder, "plain-copy")

    def at(self, type_, **of):
        """The sequences of the records of this type whose members are so."""
        return [record["sequence"] for record in self.records
                if record["type"] == type_ and all(record.get(key) == value for key, value in of.items())]

    def made_anew(self, name, records, wanted, level=None, pin="", **seeds):
        copy = self.copy()
        copy.rebuild(records, **seeds)
        self.corpus.expect(name, copy, wanted, pin, level)

    def with_record(self, at, **members):
        return [dict(record, **members) if record["sequence"] == at else record for record in self.records]

    def without(self, at):
        return [record for record in self.records if record["sequence"] != at]


def rewrite(corpus):
    """What the table in ledger/README.md says of whoever can write the files, with each of the keys."""
    plain = Plain(corpus)
    pin, keys = plain.pin, dict(ledger_seed=plain.ledger)
    both = dict(keys, operator_seed=plain.operator)
    last_signed = max(at for kind in BY_OPERATOR for at in plain.at(kind))
    (denied,) = plain.at("decision", decision="DENY")
    early = plain.with_record(denied, decision="ALLOW")
    late = plain.without(next(at for at in plain.at("telemetry") if at > last_signed))
    unasked = [record for record in early if record["type"] not in BY_OPERATOR + ("released",)
               and "grants" not in record.get("details", {})]
    corpus.expect("rewrite: nothing", plain.copy(), {0}, pin, "SIGNED")
    corpus.expect("rewrite: nothing, no pin", plain.copy(), {0}, "", "SELF-CONSISTENT")
    plain.made_anew("rewrite: no key, after the operator's last word", late, {0}, "SIGNED", pin)
    plain.made_anew("rewrite: no key, before it", early, {1}, "INCONSISTENT")
    unbound = [record for record in unasked if answers(record, unasked)]
    plain.made_anew("rewrite: no key, before it, the operator's words gone", unbound, {0}, "SELF-CONSISTENT")
    plain.made_anew("rewrite: no key, before it, the operator's words gone, pinned", unbound, {0}, None, pin)
    plain.made_anew("rewrite: the ledger's key, after the operator's last word", late, {0}, "SIGNED", pin, **keys)
    plain.made_anew("rewrite: the ledger's key, before it", early, {1}, "INCONSISTENT", pin, **keys)
    plain.made_anew("rewrite: both keys", early, {0}, "SIGNED", pin, **both)
    own = dict(ledger_seed=OWN_LEDGER_KEY, operator_seed=OWN_OPERATOR_KEY)
    plain.made_anew("rewrite: own keys, no pin", with_keys(early, *own.values()), {0}, "SELF-CONSISTENT", **own)
    plain.made_anew("rewrite: own keys", with_keys(early, *own.values()), {9}, "INCONSISTENT", pin, **own)
    # The pin names the key of the checkpoints, not the operator's.
    plain.made_anew("rewrite: the ledger's key and an operator's of one's own", with_keys(early, None, OWN_OPERATOR_KEY), {0},
                    "SIGNED", pin, ledger_seed=plain.ledger, operator_seed=OWN_OPERATOR_KEY)
    for at in range(0, len(plain.records), 7):
        signed = any(size <= at + 1 for (size,) in plain.copy().read("SELECT size FROM checkpoint"))
        plain.made_anew("rewrite: no key, cut after %d" % at, plain.records[:at + 1], {0},
                        "SIGNED" if signed else "SELF-CONSISTENT", pin)
    rotated = corpus.copy()
    changed = [dict(r, decision="ALLOW") if r.get("decision") == "DENY" else r for r in corpus.records]
    rotated.rebuild(changed, rotated.key("ledger"), rotated.key("operator"))
    corpus.expect("rewrite: both keys, before the ledger's was rotated", rotated, {9}, corpus.pin)


def answers(record, records):
    """Whether what it answers is among these."""
    return "answers" not in record or any(each["sequence"] == record["answers"]["sequence"] for each in records)


def tamper_approvals(corpus):
    """What records say of each other, with all hashes right: nothing but their sense tells."""
    plain = Plain(corpus)
    records, last = plain.records, plain.records[-1]["sequence"]
    asks = [at for at in plain.at("decision", decision="ASK") if "joins" not in records[at]["details"]]
    unanswered = asks[-1]

    def forged(name, made):
        plain.made_anew("approvals: " + name, made, {1}, "INCONSISTENT")

    def again(at, place):
        """The record once more, right after another."""
        copy = dict(records[at], sequence=10**6)
        return records[:place + 1] + [copy] + records[place + 1:]

    for at in plain.at("answer"):
        by = records[at]["operator"]
        to = dict(records[at], sequence=10**6, answers={"sequence": unanswered, "leaf": "00" * 32})
        forged("answer %d moved to another ask" % at, records + [to])
        forged("answer %d twice" % at, again(at, at))
        forged("answer %d again at the end" % at, again(at, last))
        forged("answer %d gone" % at, plain.without(at))
        for key, value in ("answer", "deny"), ("level", "pin"), ("valid_until", "9" * 18), ("signature", "00" * 64), \
                ("key", forge.public_key(OWN_OPERATOR_KEY).hex()):
            forged("answer %d, another %s" % (at, key), plain.with_record(at, operator=dict(by, **{key: value})))
        forged("answer %d, of another mission" % at, plain.with_record(at, mission="m-2"))
    for at in plain.at("grant"):
        by, details = records[at]["operator"], records[at].get("details", {})
        forged("grant %d again at the end" % at, again(at, last) if by["answer"] == "allow" else plain.with_record(
            at, operator=dict(by, answer="allow")))
        for key in "scope", "rule", "same", "rationale":
            forged("grant %d, another %s" % (at, key), plain.with_record(at, details=dict(sorted({**details, key: "f" * 64}.items()))))
        forged("grant %d, of another server" % at, plain.with_record(at, server="other"))
    for at in plain.at("policy_trusted"):
        forged("trust %d of another policy" % at, plain.with_record(at, policy="ab" * 32))
        forged("trust %d of another place" % at, plain.with_record(at, details={"workspace": "ab" * 32}))
    for at in plain.at("released"):
        forged("release %d twice" % at, again(at, at))
        to = dict(records[at], sequence=10**6, answers={"sequence": unanswered, "leaf": "00" * 32})
        forged("release %d of an ask that waits" % at, records + [to])
    used = next(at for at in plain.at("decision", decision="ALLOW") if "grants" in records[at].get("details", {}))
    forged("a call by a grant that was taken back", again(used, last))
    forged("a call by no grant", plain.with_record(used, details={"grants": "1"}))
    forged("an outcome of no call", plain.with_record(plain.at("outcome")[0], answers={"sequence": 1, "leaf": "00" * 32}))


def tamper_checkpoints(corpus):
    ledger, rows = corpus.records[0]["ledger"], corpus.copy().read("SELECT size, note FROM checkpoint ORDER BY size")
    key = corpus.copy().key("ledger")
    tree = checkpoint.Tree()
    leaves = [body.leaf_of(body.encode(record).encode()) for record in corpus.records]

    def change(name, wanted, *statements):
        copy = corpus.copy()
        copy.change(*statements)
        corpus.expect("checkpoints: " + name, copy, wanted)

    (rotation,) = (record["sequence"] for record in corpus.records if record["type"] == "key_rotation")
    for leaf in leaves:
        tree.add(leaf)
        for size, text in rows:
            if size != tree.size:
                continue
            put = lambda note: ("UPDATE checkpoint SET note = ? WHERE size = ?", (note, size))
            for at in range(0, len(text), 31):
                change("%d flipped at %d" % (size, at), {9}, put(text[:at] + bytes([text[at] ^ 1]) + text[at + 1:]))
            change("%d of own key" % size, {9}, put(forge.note(ledger, tree, OWN_LEDGER_KEY)))
            change("%d of another ledger" % size, {9}, put(forge.note("ab" * 16, tree, key)))
            change("%d twice in one" % size, {9}, put(text + text))
            # Where no mission has records of its own there, the next one signs all that it signed, and nothing is gone.
            change("%d removed" % size, {0, 6, 9}, "DELETE FROM checkpoint WHERE size = %d" % size)
            if size <= rotation:
                change("%d by the key that came later" % size, {9}, put(forge.note(ledger, tree, key)))
    for size, text in rows:
        change("%d at another size" % size, {6, 9}, "UPDATE checkpoint SET size = 2 WHERE size = %d" % size)
        change("%d below the first record" % size, {6, 9}, "UPDATE checkpoint SET size = -1 WHERE size = %d" % size)
    for note in b"", b"\0", "\u2014".encode() * 9, rows[0][1]:
        change("one above the head, %r" % note[:9], {3}, ("INSERT INTO checkpoint VALUES(9999, ?)", (note,)))
    all_ = "DELETE FROM checkpoint", "DELETE FROM part", "DELETE FROM state WHERE name = 'tree'"
    change("all removed, and the key was rotated", {9}, *all_)
    plain = Plain(corpus)
    copy = plain.copy()
    copy.change(*all_)
    corpus.expect("checkpoints: all removed", copy, {0}, plain.pin, "SELF-CONSISTENT")
    for name, pin in ("of another key", checkpoint.verifier_key(ledger, forge.public_key(OWN_LEDGER_KEY))), \
            ("of another ledger", checkpoint.verifier_key("ab" * 16, forge.public_key(plain.ledger))):
        corpus.expect("checkpoints: pin " + name, plain.copy(), {9}, pin)


def forge_purge(corpus):
    """A removal that the operator did not sign accounts for nothing."""
    plain = Plain(corpus)
    head = {key: plain.records[-1][key] for key in body.ALWAYS}
    gone = plain.copy().read("SELECT id FROM payload ORDER BY id")[3][0]
    for type_ in "purge", "erase", "exported":
        made = plain.records + [dict(head, type=type_, details={"from": "0", "to": str(gone // 64)})]
        for name, wanted, sql in (
                ("a payload", {8}, "DELETE FROM payload WHERE id = %d" % gone),
                ("a body", {6, 8}, "UPDATE record SET body = NULL WHERE sequence = %d" % (gone // 64)),
                ("a record", {7, 8}, "DELETE FROM record WHERE sequence = %d" % plain.at("degraded")[0])):
            copy = plain.copy()
            copy.rebuild(made)
            copy.change(sql)
            corpus.expect("purge: `%s` for %s" % (type_, name), copy, wanted)


def tamper_removals(corpus):
    """A ledger with a purge and an erasure that are right; then every key of theirs and of the holds, and what they need."""
    base = os.path.join(corpus.folder, "purged")
    forge.empty_log(base)
    copy = lambda: corpus.copy(base, "purged-copy")
    corpus.expect("removals: as they are", copy(), {0})
    records = [body.decode(each) for each in copy().bodies()]
    operator, ledger = copy().key("operator"), copy().key("ledger")
    acts = [record for record in records if record["type"] in forge.CUSTODY]
    seen = set()
    for record in acts:
        for what, path, data in bodies.tampered(record):
            if (record["type"], what, path) in seen:
                continue
            seen.add((record["type"], what, path))
            each = copy()
            each.change(("UPDATE record SET body = ?, leaf = ? WHERE sequence = ?",
                         (data.encode(), body.leaf_of(data.encode()), record["sequence"])))
            corpus.expect("removals: %d, %s %s" % (record["sequence"], path, what), each, {7, 8})

    def forged(name, wanted, changed, operator_seed=None, sql=()):
        """After the last rotation nothing else stands in the way: the ledger's key is at hand."""
        each = copy()
        each.rebuild([changed.get(record["sequence"], record) for record in records], ledger, operator_seed)
        each.change(*sql)
        corpus.expect("removals: " + name, each, wanted)

    for record in acts:
        at, details = record["sequence"], record.get("details", {})
        # Signed anew or not, what is on record no longer accounts for what is gone.
        for key in set(details) & {"from", "to", "size", "before", "slots"} if record["type"] in ("purge", "erase") else ():
            for value in "0", "9" * 15, "", "x":
                if (key, value) not in (("from", "0"), ("before", "0")):
                    forged("%d, %s = `%s`, signed" % (at, key, value), {8, 9}, {at: dict(record, details=dict(details, **{key: value}))},
                           operator)
        forged("%d by nobody" % at, {1, 8, 9}, {at: dict(record, operator=dict(record["operator"], signature="00" * 64))})
    (purge,), (hold, *_) = ([r for r in acts if r["type"] == type_] for type_ in ("purge", "hold_set"))
    forged("of a mission that goes on", {8, 9}, {purge["sequence"]: dict(purge, mission="m-1")}, operator)
    standing = next(r for r in acts if r["type"] == "hold_set" and r["details"]["scope"] == "time")
    forged("over a hold of all", {8, 9}, {standing["sequence"]: dict(standing, details={"scope": "all"})}, operator)
    forged("over a hold of the mission", {8, 9},
           {standing["sequence"]: dict(standing, details={"of": "m-3", "scope": "mission"})}, operator)
    for (gone,) in copy().read("SELECT id FROM payload"):
        each = copy()
        each.change("DELETE FROM payload WHERE id = %d" % gone)
        corpus.expect("removals: payload %d gone, too" % gone, each, {8})


ALL = {"removals": tamper_removals, "rewrite": rewrite, "approvals": tamper_approvals, "checkpoints": tamper_checkpoints, "purge": forge_purge}
