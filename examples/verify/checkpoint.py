"""The Merkle tree over the leaves and what signs it (FORMAT.md, «Leaf and chain», «Checkpoints»)."""
import base64
import functools
import hashlib

from crypto import is_signed


def node(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


class Tree:
    def __init__(self):
        self.size, self.subtrees = 0, []

    def add(self, leaf):
        bit = self.size
        while bit & 1:
            leaf, bit = node(self.subtrees.pop(), leaf), bit >> 1
        self.subtrees.append(leaf)
        self.size += 1

    def root(self):
        return functools.reduce(lambda right, left: node(left, right), reversed(self.subtrees))

    def text(self):
        return " ".join([str(self.size)] + [each.hex() for each in self.subtrees])


def key_id(origin, key):
    return hashlib.sha256(origin.encode() + b"\n\1" + key).digest()[:4]


def verifier_key(ledger, key):
    origin = "callgate/ledger/" + ledger
    return "%s+%s+%s" % (origin, key_id(origin, key).hex(), base64.b64encode(b"\1" + key).decode())


def note_trouble(note, ledger, tree, key):
    """What is wrong with a signed note about this tree; None: nothing."""
    origin = "callgate/ledger/" + ledger
    lines = note.decode("utf-8", "replace").split("\n")
    if len(lines) != 6 or lines[0] != origin or lines[1] != str(tree.size) or lines[3] + lines[5] != "":
        return "is no signed note of these records"
    try:
        signature = base64.b64decode(lines[4].rpartition(" ")[2], validate=True)
    except ValueError:
        signature = b""
    if len(signature) != 68 or lines[4] != "\u2014 %s %s" % (origin, base64.b64encode(signature).decode()):
        return "has no signature line"
    message = "".join(line + "\n" for line in lines[:3]).encode()
    if not key or signature[:4] != key_id(origin, key) or not is_signed(key, message, signature[4:]):
        return "is not signed by the key of then"
    return None if lines[2] == base64.b64encode(tree.root()).decode() else "signs other records than these"
