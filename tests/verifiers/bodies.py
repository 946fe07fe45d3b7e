"""Every key of a body changed, removed, added, doubled and reordered, as raw bytes: (what, path, body)."""
import body


class Members(list):
    """A JSON object as pairs, so that a key can stand twice."""


def pairs(value):
    if isinstance(value, dict):
        return Members((key, pairs(each)) for key, each in value.items())
    return [pairs(each) for each in value] if isinstance(value, list) else value


def raw(value):
    if isinstance(value, Members):
        return "{" + ",".join(raw(key) + ":" + raw(each) for key, each in value) + "}"
    return "[" + ",".join(map(raw, value)) + "]" if isinstance(value, list) else body.encode(value)


WORDS = [("ALLOW", "DENY", "ASK"), ("allow", "deny"), ("same-user", "pin"), ("answered", "failed", "unknown"), ("high", "low"),
         ("decision", "alert"), ("answer", "expired"), ("outcome", "plan"), ("genesis", "writer_start")]


def changed(value):
    """Another value of the same kind: where the profile knows it, also in the profile."""
    if isinstance(value, int):
        return value + 1 if value != 1 else 0
    for words in WORDS:
        if value in words:
            return words[(words.index(value) + 1) % len(words)]
    if value and value[-1] in "0123456789abcdef":
        return value[:-1] + "0123456789abcdef1"["0123456789abcdef".index(value[-1]) + 1]
    return value + "x"


def objects(value, path=()):
    """Every object in it with its path and a function that makes the whole anew with another in its place."""
    if isinstance(value, Members):
        yield path, value, lambda other: other
        inside = [(at, key, each) for at, (key, each) in enumerate(value)]
    elif isinstance(value, list):
        inside = [(at, str(at), each) for at, each in enumerate(value)]
    else:
        return
    for at, key, each in inside:
        for below, found, put in objects(each, path + (key,)):
            def whole(other, at=at, put=put):
                again = type(value)(value)
                again[at] = (value[at][0], put(other)) if isinstance(value, Members) else put(other)
                return again
            yield below, found, whole


def tampered(record):
    for path, found, put in objects(pairs(record)):
        at = lambda key: ".".join(path + (key,))
        for place, (key, value) in enumerate(found):
            before, after = Members(found[:place]), Members(found[place + 1:])
            if not isinstance(value, list):
                yield "changed", at(key), raw(put(Members(before + [(key, changed(value))] + after)))
            yield "removed", at(key), raw(put(Members(before + after)))
            yield "doubled", at(key), raw(put(Members(found[:place + 1] + [(key, value)] + after)))
            yield "added", at(key), raw(put(Members(found[:place + 1] + [(key + "x", value)] + after)))
            if after:
                yield "reordered", at(key), raw(put(Members(before + [after[0], (key, value)] + after[1:])))
