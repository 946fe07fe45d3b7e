"""Bodies (FORMAT.md, «Body»): the one encoding of a record, read strictly. Objects become dicts in the order of their keys."""
import hashlib
import re


class Refused(Exception):
    pass


STRING = re.compile(r'"((?:[^"\\\x00-\x1f]|\\["\\]|\\u00[01][0-9a-f])*)"')
INTEGER = re.compile(r"(?:0|[1-9][0-9]{0,15})(?![0-9])")


def parse(text, at, depth=0):
    if text.startswith('"', at):
        found = STRING.match(text, at)
        if not found:
            raise Refused("a string that is not encoded as the profile says")
        plain = re.sub(r"\\(u00(..)|.)", lambda m: chr(int(m[2], 16)) if m[2] else m[1], found[1], flags=re.S)
        return plain, found.end()
    if text[at:at + 1] not in ("{", "["):
        found = INTEGER.match(text, at)
        if not found or int(found[0]) >= 2**53:
            raise Refused("no value at %d" % at)
        return int(found[0]), found.end()
    if depth == 3:
        raise Refused("nested too deep")
    is_object, values = text[at] == "{", {} if text[at] == "{" else []
    close, at = "}" if is_object else "]", at + 1
    while not text.startswith(close, at):
        if values:
            if text[at:at + 1] != ",":
                raise Refused("no comma at %d" % at)
            at += 1
        value, at = parse(text, at, depth + 1)
        if is_object:
            key = value
            if not isinstance(key, str) or key in values or text[at:at + 1] != ":":
                raise Refused("no key, or one twice")
            values[key], at = parse(text, at + 1, depth + 1)
        else:
            values.append(value)
    return values, at + 1


def encode(value):
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        escape = lambda m: "\\" + m[0] if m[0] in '"\\' else "\\u%04x" % ord(m[0])
        return '"' + re.sub(r'["\\\x00-\x1f]', escape, value) + '"'
    if isinstance(value, list):
        return "[" + ",".join(map(encode, value)) + "]"
    return "{" + ",".join(encode(key) + ":" + encode(each) for key, each in value.items()) + "}"


def integer(least=0): return lambda v: isinstance(v, int) and v >= least
def text(v): return isinstance(v, str)
def named(v): return isinstance(v, str) and v != ""
def word(*words): return lambda v: isinstance(v, str) and v in words
def hexed(count): return lambda v: isinstance(v, str) and re.fullmatch("[0-9a-f]{%d}" % count, v) is not None
def decimal(v): return isinstance(v, str) and re.fullmatch("0|[1-9][0-9]{0,18}", v) is not None and int(v) < 2**63
def unless_empty(check): return lambda v: v == "" or check(v)
def members(**of): return lambda v: isinstance(v, dict) and list(v) == list(of) and all(of[k](v[k]) for k in of)
def listed(each, least, most, key=None): return lambda v: (
    isinstance(v, list) and least <= len(v) <= most and all(map(each, v)) and (not key or len(set(map(key, v))) == len(v)))
def mapped(each): return lambda v: (
    isinstance(v, dict) and v != {} and list(v) == sorted(v) and "" not in v and all(map(each, v.values())))


TYPES = """genesis writer_start writer_stop mission_start mission_pause mission_resume mission_terminate mission_end
    session_start session_end tools_pinned tools_changed policy_loaded policy_changed policy_trusted decision answer
    expired withdrawn detached released grant redirect outcome violation plan validation restore notification alert
    gate_result telemetry checkpoint key_rotation hold_set hold_released purge erase exported degraded""".split()
ALWAYS = dict(v=lambda v: v == 1 and isinstance(v, int), ledger=hexed(32), sequence=integer(), previous=hexed(64), time=decimal,
              monotonic=decimal, boot=hexed(32), writer=hexed(32), type=word(*TYPES))
TIER = word("ALLOW", "ASK", "DENY")
PROCESS = members(pid=integer(), start=integer(), boot=unless_empty(hexed(32)))
MAYBE = dict(
    mission=named, call=integer(1), answers=members(sequence=integer(), leaf=hexed(64)),
    agent=members(name=text, version=text, protocol=text, process=PROCESS, commit=text), policy=hexed(64), server=named,
    capability=members(method=text, tool=text, effects=listed(text, 0, 64, str), call=hexed(64)), decision=TIER,
    rules=listed(members(id=text, layer=text, tier=TIER), 1, 65536),
    violation=members(**{"kind": text, "class": text, "severity": word("low", "medium", "high", "critical"), "rule": text}),
    operator=members(answer=word("allow", "deny"), level=word("same-user", "pin", "separate-user"), key=hexed(64),
                     signature=hexed(128), valid_until=decimal),
    outcome=members(status=word("answered", "refused", "failed", "cancelled", "unknown"), error=text,
                    is_error=lambda v: v in (0, 1), size=integer(), duration=integer()),
    payloads=listed(members(slot=named, digest=hexed(64), size=integer()), 1, 64, lambda v: v["slot"]),
    redacted=mapped(integer(1)), details=mapped(text))
ORDER_OF_KEYS = {key: place for place, key in enumerate([*ALWAYS, *MAYBE])}


def decode(body):
    """The record, or Refused: these are the only bytes that say it."""
    if len(body) > 65536:
        raise Refused("no body of at most 65,536 bytes")
    try:
        record, end = parse(body.decode("utf-8"), 0)
    except UnicodeDecodeError:
        raise Refused("not UTF-8")
    if not isinstance(record, dict) or encode(record).encode() != body:
        raise Refused("not what its record encodes to")
    for key in [*ALWAYS, *record]:
        if key not in ORDER_OF_KEYS or key not in record or not {**ALWAYS, **MAYBE}[key](record[key]):
            raise Refused("`%s` is missing or not in the profile" % key)
    if [*record] != sorted(record, key=ORDER_OF_KEYS.get):
        raise Refused("keys in another order")
    return record


def leaf_of(body):
    return hashlib.sha256(b"\0" + body).digest()


def digest(value):
    return bytes.fromhex(value) if hexed(64)(value) else None
