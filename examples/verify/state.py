"""State (FORMAT.md, «State»): a fold over the records, and the derived tables that it gives."""
from body import decimal, digest


class State:
    def __init__(self):
        self.missions, self.asks, self.grants, self.trust, self.holds = {}, {}, {}, {}, {}
        self.operator_key = self.checkpoint_key = None

    def apply(self, record, leaf):
        kind, details, by = record["type"], record.get("details", {}), record.get("operator")
        mission = self.missions.get(record.get("mission"))
        if kind == "genesis" and record["sequence"] == 0:
            self.operator_key, self.checkpoint_key = details.get("operator_key", ""), details.get("checkpoint_key", "")
        elif kind == "key_rotation":
            self.checkpoint_key = details.get("key", "")
        elif kind == "mission_start" and not mission and "mission" in record and digest(details.get("key")):
            policies = {record["writer"]: record["policy"]} if "policy" in record else {}
            self.missions[record["mission"]] = {"key": details["key"], "state": "active", "start": record["sequence"],
                                                "policies": policies}
        elif kind == "mission_end" and mission:
            del self.missions[record["mission"]]
            self.grants = {at: grant for at, grant in self.grants.items() if grant["mission"] != record["mission"]}
        elif kind in ("mission_pause", "mission_resume", "mission_terminate") and mission:
            before, after = {"mission_pause": ("active", "paused"), "mission_resume": ("paused", "active"),
                             "mission_terminate": (mission["state"], "terminated")}[kind]
            mission["state"] = after if mission["state"] == before else mission["state"]
        elif kind in ("policy_loaded", "policy_changed"):
            self.end_trust(details)
            if mission and "policy" in record:
                mission["policies"][record["writer"]] = record["policy"]
        elif kind == "policy_trusted" and by and "policy" in record and digest(details.get("workspace")):
            stands = self.trust.get(details["workspace"])
            if by["answer"] == "allow":
                self.trust[details["workspace"]] = {"policy": record["policy"], "record": record["sequence"], "ended": 0}
            elif stands and stands["policy"] == record["policy"]:
                del self.trust[details["workspace"]]
        elif kind == "hold_set" and details.get("scope") in ("mission", "agent", "time", "all"):
            time = lambda key: int(details[key]) if decimal(details.get(key, "")) else 0
            self.holds[record["sequence"]] = {"leaf": leaf, "scope": details["scope"], "of": details.get("of", ""),
                                              "from": time("from"), "until": time("until")}
        elif kind == "hold_released" and "answers" in record:
            self.holds.pop(record["answers"]["sequence"], None)
        elif kind == "writer_stop":
            for each in self.missions.values():
                each["policies"].pop(details.get("of") or record["writer"], None)
        elif kind == "decision" and record.get("decision") == "ASK" and "joins" not in details:
            what = record.get("capability", {"tool": "", "call": "00" * 32})
            expires = details.get("expires", "")
            self.asks[record["sequence"]] = {
                "leaf": leaf, "mission": record.get("mission", ""), "server": record.get("server", ""), "tool": what["tool"],
                "writer": record["writer"], "call": what["call"], "state": "open", "repeat": "", "asked": int(record["time"]),
                "expires": int(expires) if decimal(expires) else 0, "answer": 0}
        elif "answers" in record:
            self.apply_answering(record, leaf, kind, details, by, mission)

    def apply_answering(self, record, leaf, kind, details, by, mission):
        at, at_leaf = record["answers"]["sequence"], bytes.fromhex(record["answers"]["leaf"])
        if kind == "grant" and by and mission:
            given = self.grants.get(at)
            if self.gives(record):
                self.grants[record["sequence"]] = {"leaf": leaf, "mission": record["mission"], "ask": at,
                                                   "expires": int(by["valid_until"])}
            elif by["answer"] == "deny" and given and (given["leaf"], given["mission"]) == (at_leaf, record["mission"]):
                del self.grants[at]
        ask = self.asks.get(at)
        if not ask or ask["leaf"] != at_leaf:
            return
        if kind == "answer" and ask["state"] in ("open", "detached") and by:
            ask.update(state="allowed" if by["answer"] == "allow" else "denied", answer=record["sequence"],
                       expires=int(by["valid_until"]))
        elif kind == "detached" and ask["state"] == "open":
            ask.update(state="detached", repeat=details.get("repeat", "") if digest(details.get("repeat")) else ask["call"])
        elif (kind in ("expired", "withdrawn") or (kind == "released" and ask["state"] == "allowed")
              or (kind == "outcome" and ask["state"] == "denied" and not ask["repeat"])):
            del self.asks[at]

    def gives(self, grant):
        """Whether it follows right after the answer that allows its ask."""
        ask = self.asks.get(grant["answers"]["sequence"])
        return (ask is not None and grant["operator"]["answer"] == "allow" and ask["leaf"].hex() == grant["answers"]["leaf"]
                and ask["mission"] == grant.get("mission", "") and ask["state"] == "allowed"
                and ask["answer"] + 1 == grant["sequence"])

    def end_trust(self, details):
        if "unreadable" in details:
            return
        places = [(details.get("workspace"), details.get("policy-repository"))]
        places += [part.partition(":")[::2] for part in details.get("parts", "").split(" ")]
        for place, now in places:
            if place in self.trust and self.trust[place]["policy"] != now:
                self.trust[place]["ended"] = 1

    def tables(self):
        """Each derived table as rows, texts as bytes; with each row the record that it is about."""
        raw = bytes.fromhex
        policies = lambda each: b"".join(writer.encode() + raw(policy) for writer, policy in sorted(each.items()))
        return {
            "mission": {(name.encode(), raw(m["key"]), m["state"].encode(), m["start"], policies(m["policies"])): m["start"]
                        for name, m in self.missions.items()},
            "ask": {(at, a["leaf"], *(a[k].encode() for k in ("mission", "server", "tool", "writer")), raw(a["call"]),
                     a["state"].encode(), raw(a["repeat"]), a["asked"], a["expires"], a["answer"]): at
                    for at, a in self.asks.items()},
            "grant": {(at, g["leaf"], g["mission"].encode(), g["ask"], g["expires"]): at for at, g in self.grants.items()},
            "hold": {(at, h["leaf"], h["scope"].encode(), h["of"].encode(), h["from"], h["until"]): at
                     for at, h in self.holds.items()},
            "trust": {(raw(place), raw(t["policy"]), t["record"], t["ended"]): t["record"] for place, t in self.trust.items()}}
