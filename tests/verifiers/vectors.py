"""The worked examples of ledger/FORMAT.md and of the RFCs, by the second verifier alone; and the schema as it is written down."""
import hashlib
import os
import re

import body
import checkpoint
import crypto
import files
import schema


class Signed:
    """A tree of FORMAT.md's checkpoint, of which no leaves are known."""
    size = 8

    def root(self):
        return hashlib.sha256(b"a root").digest()


def check(corpus):
    with open(os.path.join(corpus.source, "ledger", "FORMAT.md"), encoding="utf-8") as file:
        text = file.read()
    blocks = [re.sub(r"(?m)^    ", "", each) for each in re.findall(r"(?m)(?:^    .*\n)+", text)]
    example = next(each for each in blocks if '"v":1' in each).replace("\n", "").encode()
    note = next(each for each in blocks if each.startswith("callgate/ledger/"))
    line = next(each for each in blocks if each.startswith("\u2014 callgate/ledger/"))
    note = "".join(each.split("  ")[0] + "\n" for each in note.splitlines()) + "\n" + line
    key = bytes.fromhex("ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c")
    ledger, salt = "00112233445566778899aabbccddeeff", bytes(range(32))
    commitment = hashlib.sha256(b"plc1\0" + salt + (16).to_bytes(8, "big") + b'{"path":"a.txt"}').hexdigest()
    once = re.sub(r"\s+", " ", text)

    def right(name, holds):
        corpus.tried["vectors"] += 1
        if not holds:
            corpus.wrong.append("vectors: " + name)

    right("the body", body.decode(example)["sequence"] == 7 and len(example) == 850)
    right("its leaf", "leaf = " + body.leaf_of(example).hex() in text)
    right("the commitment", commitment in text)
    right("the checkpoint", checkpoint.note_trouble(note.encode(), ledger, Signed(), key) is None)
    right("the verifier key", checkpoint.verifier_key(ledger, key) in text)
    mark = bytes.fromhex("".join(next(each for each in blocks if each.startswith("63676d61726b31")).split()))
    with open(os.path.join(corpus.folder, "ledger.mark"), "wb") as file:
        file.write(mark)
    right("the mark", files.read_mark(corpus.folder) == ((7, body.leaf_of(example)), ""))
    for (kind, name), sql in schema.OBJECTS.items():
        if kind == "trigger":
            table, things = sql.split(" ON ")[1].split(" ")[0], sql.split("'")[1].split(" ")[0]
            sql = sql.replace("'" + things, "'THINGS").replace(table, "TABLE")
        right("FORMAT.md holds the %s %s" % (kind, name), sql in once)
    right("RFC 8032, 7.1, TEST 2", crypto.is_signed(
        bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"), b"\x72", bytes.fromhex(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")))
    right("RFC 8439, 2.8.2", (crypto.opened(
        bytes(range(0x80, 0xA0)), bytes.fromhex("070000004041424344454647"), bytes.fromhex("50515253c0c1c2c3c4c5c6c7"),
        bytes.fromhex("d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b"
                      "1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
                      "3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691")) or b"")[:20] == b"Ladies and Gentlemen")


ALL = {"vectors": check}
