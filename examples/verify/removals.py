"""Payloads that are gone against the purges and erasures on record (FORMAT.md, «Payloads»), and the holds that forbid them."""
import hashlib
import struct

from body import decimal


def custody_lines(record):
    """What the operator signs of a hold, a purge or an erasure («Operator's signature»)."""
    at, by = record.get("answers"), record["operator"]
    details = b"".join(struct.pack(">Q", len(each)) + each for pair in record.get("details", {}).items()
                       for each in (text.encode() for text in pair))
    return ["callgate %s 1" % record["type"], record["ledger"], str(at["sequence"]) if at else "none",
            at["leaf"] if at else "none", by["answer"], by["level"], by["valid_until"],
            hashlib.sha256(record.get("mission", "").encode()).hexdigest(), hashlib.sha256(details).hexdigest()]


class Removals:
    def __init__(self, say, references):
        self.say, self.references = say, references
        self.missions, self.missing, self.purged, self.erased = {}, [], [], {}

    def add(self, record, state, signed_sizes):
        """Of each record in order, with the state before it and the sizes that checkpoints sign so far."""
        if record["type"] not in ("purge", "erase"):
            if "mission" in record:
                agents, times = self.missions.setdefault(record["mission"], (set(), []))
                agents |= {record["agent"]["name"]} if "agent" in record else set()
                times[:] = [min(times + [int(record["time"])]), max(times + [int(record["time"])])]
            return
        trouble = self.take(record, state, signed_sizes)
        if trouble:
            self.say(record["sequence"], "`%s` %s" % (record["type"], trouble), "purge")

    def take(self, record, state, signed_sizes):
        details, at = record.get("details", {}), record.get("answers")
        if record.get("operator", {}).get("answer") != "allow" or not self.references.is_signed(record, state, custody_lines(record)):
            return "is not signed by the operator"
        if at:
            target = self.references.earlier.get(at["sequence"], {"leaf": None})
            slots = details.get("slots", "").split(" ")
            if record["type"] != "erase" or slots == [""] or target["leaf"] != at["leaf"]:
                return "names nothing"
            if self.held(state, target["mission"], target["time"], target["time"]):
                return "takes what a hold covers"
            self.erased.setdefault(at["sequence"], set()).update(slots)
            return None
        names = ("from", "to", "size") + (("before",) if record["type"] == "purge" else ())
        if "mission" not in record or not all(decimal(details.get(name)) for name in names):
            return "names nothing"
        first, to, size, before = (int(details.get(name, 0)) for name in ("from", "to", "size", "before"))
        if first > to or size <= to or to >= record["sequence"]:
            return "names nothing, or what was not there yet"
        if self.held(state, record["mission"], *self.missions.get(record["mission"], (set(), [0, 0]))[1]):
            return "takes what a hold covers"
        if record["mission"] in state.missions:
            return "takes from a mission that has not ended"
        if size not in signed_sizes:
            return "names no checkpoint that signs what it took"
        if before > int(record["time"]):
            return "takes what is not old yet"
        self.purged.append((record["mission"], first, to, before if record["type"] == "purge" else None))
        return None

    def held(self, state, mission, first_time, last_time):
        agents = self.missions.get(mission, (set(), []))[0]
        covers = {"all": lambda hold: True, "mission": lambda hold: hold["of"] == mission,
                  "agent": lambda hold: hold["of"] in agents,
                  "time": lambda hold: first_time <= hold["until"] and last_time >= hold["from"]}
        return any(covers[hold["scope"]](hold) for hold in state.holds.values())

    def finish(self):
        for mission, sequence, time, slots in self.missing:
            by_purge = mission and any(of == mission and first <= sequence <= to and (not before or time < before)
                                       for of, first, to, before in self.purged)
            if not by_purge and not slots <= self.erased.get(sequence, set()):
                self.say(sequence, "payload `%s` is missing, and no removal on record took it" % sorted(slots)[0], "purge")
