#!/usr/bin/env python3
"""corpus.py FIRST_VERIFIER SOURCE_DIR [--all] [LEDGER] [FAMILY…]: ledgers that were tampered with, each with the verdict that it must get
of both verifiers: callgate's (FIRST_VERIFIER answers for it, main.cpp) and examples/verify. Exit 0: all got it.
--all: every key of every body in every way, which takes some minutes; else each shape once. LEDGER: a folder with a
real one, to tamper with copies of it instead of a sample; not all families fit it."""
import collections
import os
import shutil
import subprocess
import sys
import tempfile
import time


class Corpus:
    def __init__(self, first_verifier, source, folder, every, real=None):
        self.all, self.source = every, source
        self.folder, self.tried, self.wrong = folder, collections.Counter(), []
        self.first = subprocess.Popen([first_verifier, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pin = self.first.stdout.readline().strip()
        self.sample, self.base = real or os.path.join(folder, "sample"), os.path.join(folder, "base")
        shutil.copytree(self.sample, self.base)
        forge.empty_log(self.base)
        self.signed_to = self.copy().read("SELECT max(size) FROM checkpoint")[0][0]
        self.records = [body.decode(each) for each in self.copy().bodies()]

    def copy(self, base=None, name="copy"):
        """Of the sample, or of the ledger in this folder; the copy before under that name is gone then."""
        return forge.Copy(base or self.base, os.path.join(self.folder, name))

    def verdicts(self, folder, pin=""):
        """((exit, level) of both, records that the first read)."""
        try:
            report = verify.verify(folder, {pin} - {""})
            second = (report.exit(), report.level)
        except files.NoLedger:
            second = (1, "UNREADABLE")
        except files.Unreadable:
            second = (4, "UNREADABLE")
        self.first.stdin.write(folder + " " + pin + "\n")
        self.first.stdin.flush()
        code, level, _, records, _ = self.first.stdout.readline().split()
        return (int(code), level), second, int(records)

    def expect(self, name, copy, wanted, pin="", level=None, alike=True):
        """`wanted`: the exit codes that it may get; all but files that were damaged must get the same of both."""
        self.tried[name.split(":")[0]] += 1
        first, second, records = self.verdicts(copy if isinstance(copy, str) else copy.folder, pin)
        right = all(each[0] in wanted and level in (None, each[1]) for each in (first, second))
        if not right or (alike and first != second):
            self.wrong.append("%s: wanted %s %s, callgate says %s, the second verifier %s" % (
                name, sorted(wanted), level or "", first, second))
        return records
    def expect_each(self, name, copy, first, second):
        """Where callgate and the second verifier are to differ."""
        self.tried[name.split(":")[0]] += 1
        got = tuple(each[0] for each in self.verdicts(copy.folder)[:2])
        if got != (first, second):
            self.wrong.append("%s: wanted %s, got %s" % (name, (first, second), got))


def main(words):
    chosen = [word for word in words[2:] if word in families.ALL] or list(families.ALL)
    real = next((word for word in words[2:] if "/" in word), None)
    with tempfile.TemporaryDirectory(prefix="callgate-corpus-") as folder:
        corpus = Corpus(words[0], words[1], folder, "--all" in words, real)
        for name in chosen:
            begun = time.monotonic()
            families.ALL[name](corpus)
            print("%s: %d ledgers, %.1f s" % (name, corpus.tried[name], time.monotonic() - begun))
        corpus.first.stdin.close()
        corpus.first.wait()
    for each in corpus.wrong[:40]:
        print("WRONG " + each)
    print("%d ledgers, %d wrong" % (sum(corpus.tried.values()), len(corpus.wrong)))
    return 1 if corpus.wrong else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.join(sys.argv[2], "examples", "verify"))
    import body
    import files
    import verify
    import forge
    import families
    sys.exit(main(sys.argv[1:]))
