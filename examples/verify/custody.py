"""What is kept and what goes: holds, purges, erasures (FORMAT.md, «Types», «Operator's signature»)."""
import hashlib
import struct

from body import decimal, digest
from crypto import is_signed


def sized(text):
    return struct.pack(">Q", len(text.encode())) + text.encode()


def custody_text(record):
    """What the operator signs."""
    by, answers = record["operator"], record.get("answers")
    details = b"".join(sized(key) + sized(value) for key, value in record.get("details", {}).items())
    lines = ["callgate %s 1" % record["type"], record["ledger"], str(answers["sequence"]) if answers else "none",
             answers["leaf"] if answers else "none", by["answer"], by["level"], by["valid_until"],
             hashlib.sha256(record.get("mission", "").encode()).hexdigest(), hashlib.sha256(details).hexdigest()]
    return "".join(line + "\n" for line in lines).encode()


def is_custody_signed(record, state, answer):
    by = record.get("operator")
    if not by or by["answer"] != answer or by["key"] != state.operator_key or not digest(by["key"]):
        return False
    return is_signed(bytes.fromhex(by["key"]), custody_text(record), bytes.fromhex(by["signature"]))


def removal_of(record):
    """(mission, from, to, before, size, slots), or None."""
    details, mission = record.get("details", {}), record.get("mission", "")
    if "answers" in record:
        slots = [slot for slot in details.get("slots", "").split(" ") if slot]
        at = record["answers"]["sequence"]
        return (mission, at, at, 0, 0, slots) if record["type"] == "erase" and slots else None
    keys = ("from", "to", "size") + (("before",) if record["type"] == "purge" else ())
    if not mission or not all(decimal(details.get(key, "")) for key in keys):
        return None
    first, last, size = (int(details[key]) for key in ("from", "to", "size"))
    before = int(details["before"]) if record["type"] == "purge" else 0
    return (mission, first, last, before, size, []) if first <= last < size else None


class Removals:
    """add() each record, with the state before it; missing() what has no row; finish()."""

    def __init__(self, say):
        self.say, self.missions, self.gone, self.accounts, self.erased = say, {}, [], {}, {}

    def add(self, record, state, signed_sizes):
        name, kind, at = record.get("mission", ""), record["type"], record["sequence"]
        time = int(record["time"])
        if kind not in ("purge", "erase"):
            if name:
                agents, first, last = self.missions.get(name, (set(), time, time))
                agents |= {record["agent"]["name"]} if "agent" in record else set()
                self.missions[name] = (agents, min(first, time), max(last, time))
            return
        removal = removal_of(record)
        if not removal:
            return self.say(at, "a removal that names nothing")
        if not is_custody_signed(record, state, "allow"):
            return self.say(at, "the operator did not sign this removal")
        mission, first, last, before, size, slots = removal
        if last >= at:
            return self.say(at, "`%s` takes what was not there yet" % kind)
        if self.held(state, mission):
            return self.say(at, "`%s` takes what a hold covers" % kind)
        if slots:
            self.erased.setdefault(first, set()).update(slots)
            return
        if mission in state.missions:
            return self.say(at, "`%s` takes from a mission that has not ended" % kind)
        if size not in signed_sizes:
            return self.say(at, "`%s` names no checkpoint that signs what it took" % kind)
        if before > time:
            return self.say(at, "`%s` takes what is not old yet" % kind)
        self.accounts.setdefault(mission, []).append((first, last, before))

    def held(self, state, mission):
        agents, first, last = self.missions.get(mission, (set(), 0, 0))
        return any(hold["scope"] == "all" or (hold["scope"] == "mission" and hold["of"] == mission)
                   or (hold["scope"] == "agent" and hold["of"] in agents)
                   or (hold["scope"] == "time" and first <= hold["until"] and last >= hold["from"])
                   for hold in state.holds.values())

    def missing(self, record, slot):
        self.gone.append((record["sequence"], record.get("mission", ""), int(record["time"]), slot))

    def finish(self):
        for at, mission, time, slot in self.gone:
            taken = mission and any(first <= at <= last and (not before or time < before)
                                    for first, last, before in self.accounts.get(mission, []))
            if not taken and slot not in self.erased.get(at, ()):
                self.say(at, "payload `%s` is missing, and no removal on record took it" % slot)
