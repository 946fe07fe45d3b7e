"""What a record says of earlier ones, and whether the operator signed it (FORMAT.md, «Types», «Operator's signature»)."""
import hashlib

from body import digest
from crypto import is_signed
from custody import is_custody_signed

NOTHING = hashlib.sha256(b"").hexdigest()
ABOUT_AN_ASK = ("answer", "expired", "withdrawn", "detached", "released")
# The types that a record may answer; what is not here may answer any.
ANSWERABLE = {
    "writer_stop": ["writer_start"], "mission_resume": ["mission_pause"], "session_end": ["session_start"],
    "tools_changed": ["tools_pinned", "tools_changed"], "policy_changed": ["policy_loaded", "policy_changed"],
    "hold_released": ["hold_set"], "outcome": ["decision"], "grant": ["decision", "grant"], **{kind: ["decision"] for kind in ABOUT_AN_ASK}}


class References:
    """check(record, state) with the state before it, then remember(record, leaf); `say(sequence, what, kind)` hears."""

    def __init__(self, say):
        self.say, self.earlier = say, {}

    def remember(self, record, leaf):
        details, by = record.get("details", {}), record.get("operator", {})
        self.earlier[record["sequence"]] = {
            "leaf": leaf.hex(), "type": record["type"], "call": record.get("capability", {}).get("call"),
            "ask": record["type"] == "decision" and record.get("decision") == "ASK" and "joins" not in details,
            "grant": record["type"] == "grant" and by.get("answer") == "allow",
            "mission": record.get("mission", ""), "server": record.get("server", "")}

    def check(self, record, state):
        kind, at = record["type"], record["sequence"]
        if kind == "policy_trusted":
            self.check_trust(record, state)
        if kind in ("hold_set", "hold_released") and not is_custody_signed(
                record, state, "allow" if kind == "hold_set" else "deny"):
            self.say(at, "the operator's signature is not valid under the key of record 0")
        if kind == "hold_set" and record.get("details", {}).get("scope") not in ("mission", "agent", "time", "all"):
            self.say(at, "a hold that covers nothing")
        if kind == "key_rotation":
            self.check_rotation(record, state)
        if kind == "decision" and record.get("decision") == "ALLOW":
            self.check_granted(record, state)
        if "answers" not in record:
            if kind in ABOUT_AN_ASK + ("outcome", "grant"):
                self.say(at, "`%s` answers no record" % kind)
            return
        target = self.earlier.get(record["answers"]["sequence"])
        if not target or target["leaf"] != record["answers"]["leaf"]:
            return self.say(at, "answers record %d, and no earlier record is there with that leaf"
                            % record["answers"]["sequence"])
        if target["type"] not in ANSWERABLE.get(kind, [target["type"]]) or (kind in ABOUT_AN_ASK and not target["ask"]):
            return self.say(at, "`%s` answers a `%s` that it cannot answer" % (kind, target["type"]))
        if kind == "answer":
            self.check_answer(record, target, state)
        if kind == "grant":
            self.check_grant(record, target, state)
        ask = state.asks.get(record["answers"]["sequence"], {"state": "gone"})["state"]
        if kind == "answer" and ask not in ("open", "detached"):
            self.say(at, "answers an ask that no longer waits")
        if kind == "released" and ask != "allowed":
            self.say(at, "a call was released without an answer that allows it and was not used")

    def check_signature(self, record, state, lines, digests=()):
        """`digests`: details that are lines, too; each is 64 hex digits or missing."""
        by, details = record["operator"], record.get("details", {})
        lines = lines + [details.get(key) or NOTHING for key in digests]
        right = all("\n" not in line for line in lines) and all(digest(details.get(key) or NOTHING) for key in digests)
        if not (right and by["key"] == state.operator_key and digest(by["key"]) and is_signed(
                bytes.fromhex(by["key"]), "".join(line + "\n" for line in lines).encode(), bytes.fromhex(by["signature"]))):
            self.say(record["sequence"], "the operator's signature is not valid under the key of record 0")

    def check_answer(self, record, decision, state):
        by = record.get("operator")
        if not by or not decision["call"]:
            return self.say(record["sequence"], "an answer without operator or to no call")
        self.check_signature(record, state, [
            "callgate answer 1", record["ledger"], str(record["answers"]["sequence"]), record["answers"]["leaf"],
            decision["call"], by["answer"], by["level"], by["valid_until"]], ["rationale"])
        if record.get("mission", "") != decision["mission"]:
            self.say(record["sequence"], "an answer whose mission is not the one that was asked")

    def check_grant(self, record, target, state):
        by = record.get("operator")
        if not by:
            return self.say(record["sequence"], "a grant without operator")
        if by["answer"] == "allow" and not state.gives(record):
            self.say(record["sequence"], "a grant that does not follow the answer that allows its ask")
        if by["answer"] == "deny" and not target["grant"]:
            self.say(record["sequence"], "takes back what is no grant")
        self.check_signature(record, state, [
            "callgate grant 1", record["ledger"], str(record["answers"]["sequence"]), record["answers"]["leaf"], by["answer"],
            by["level"], by["valid_until"], record.get("details", {}).get("scope") or "none"], ["rule", "same", "rationale"])
        if (record.get("mission", ""), record.get("server", "")) != (target["mission"], target["server"]):
            self.say(record["sequence"], "a grant for another mission or server than it was given at")

    def check_granted(self, record, state):
        grants = record.get("details", {}).get("grants", "")
        for each in grants.split(" ") if grants else []:
            grant = state.grants.get(int(each)) if each.isascii() and each.isdigit() and len(each) < 20 else None
            if not grant or grant["mission"] != record.get("mission", "") or int(record["time"]) >= grant["expires"]:
                self.say(record["sequence"], "a call passed by grant `%s`, which did not stand then" % each)

    def check_trust(self, record, state):
        by, details = record.get("operator"), record.get("details", {})
        if not by or "policy" not in record or not digest(details.get("workspace")):
            return self.say(record["sequence"], "a policy is trusted without operator, digest or workspace")
        self.check_signature(record, state, ["callgate trust 1", record["ledger"], details["workspace"], record["policy"],
                                             by["answer"], by["level"], by["valid_until"]])

    def check_rotation(self, record, state):
        details, before = record.get("details", {}), digest(state.checkpoint_key)
        signature = details.get("signature", "")
        text = "callgate key 1\n%s\n%s\n%s\n" % (record["ledger"], state.checkpoint_key, details.get("key"))
        if not (before and digest(details.get("key")) and len(signature) == 128 and signature == signature.lower()
                and digest(signature[:64]) and digest(signature[64:])
                and is_signed(before, text.encode(), bytes.fromhex(signature))):
            self.say(record["sequence"], "the key before did not sign the one that takes its place", "checkpoint")
