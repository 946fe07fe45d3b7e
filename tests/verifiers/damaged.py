"""Files that are cut or flipped, as a disk or a clumsy hand does it: nothing may be gone and be said to be well."""
import os
import shutil
import sqlite3


FRAME = 24 + 4096  # a log that ends with a frame cannot be told from one that was never longer


def content(folder):
    """All rows of all tables, or None where they cannot be read."""
    copy = folder + "-read"
    shutil.rmtree(copy, ignore_errors=True)
    os.mkdir(copy)
    for name in "ledger.db", "ledger.db-wal":
        if os.path.exists(os.path.join(folder, name)):
            shutil.copyfile(os.path.join(folder, name), os.path.join(copy, name))
    database = sqlite3.connect(os.path.join(copy, "ledger.db"))
    database.text_factory = bytes
    try:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return [database.execute('SELECT * FROM "%s"' % name.decode()).fetchall() for name in sorted(names)]
    except (sqlite3.DatabaseError, UnicodeDecodeError):  # the latter of a message that quotes damaged text
        return None
    finally:
        database.close()


def places(size, count):
    return sorted({size * at // count + at * 37 % 61 for at in range(count)} & set(range(size)))


class Log:
    """The sample with its write-ahead log as its last writer left it."""

    def __init__(self, corpus):
        self.corpus, self.folder = corpus, os.path.join(corpus.folder, "log")
        shutil.copytree(corpus.sample, self.folder)
        with open(os.path.join(corpus.sample, "ledger.db-wal"), "rb") as file:
            self.wal = file.read()
        self.all = content(corpus.sample)

    def expect(self, name, wal):
        for each in "ledger.db", "ledger.mark":
            shutil.copyfile(os.path.join(self.corpus.sample, each), os.path.join(self.folder, each))
        for each in "ledger.db-shm", "ledger.db-wal":
            if os.path.exists(os.path.join(self.folder, each)):
                os.remove(os.path.join(self.folder, each))
        if wal is not None:
            with open(os.path.join(self.folder, "ledger.db-wal"), "wb") as file:
                file.write(wal)
        whole = content(self.folder) == self.all
        traceless = not wal or (len(wal) < len(self.wal) and len(wal) % FRAME == 32)
        self.corpus.expect("log: " + name, self.folder, {0} if whole else {3} if traceless else {10})


def damage_log(corpus):
    log = Log(corpus)
    log.expect("as it is", log.wal)
    log.expect("removed", None)
    log.expect("empty", b"")
    for at in places(len(log.wal), 60):
        log.expect("cut at %d" % at, log.wal[:at])
        flipped = log.wal[:at] + bytes([log.wal[at] ^ 1 << at % 8]) + log.wal[at + 1:]
        log.expect("flipped at %d" % at, flipped)
    for at in 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48:
        log.expect("flipped at %d" % at, log.wal[:at] + bytes([log.wal[at] ^ 64]) + log.wal[at + 1:])


def damage_database(corpus):
    right = content(corpus.base)
    size = os.path.getsize(os.path.join(corpus.base, "ledger.db"))
    for at in [*range(0, 108, 4), *places(size, 200)]:
        copy = corpus.copy()
        copy.flip("ledger.db", at, 1 << at % 8)
        whole = content(copy.folder) == right
        wanted = {0, 1, 3, 4, 6, 7, 8, 9, 10} if whole else {1, 3, 4, 6, 7, 8, 9, 10}
        corpus.expect("database: flipped at %d" % at, copy, wanted, alike=False)
    for at in places(size, 40):
        copy = corpus.copy()
        os.truncate(copy.path("ledger.db"), at)
        corpus.expect("database: cut at %d" % at, copy, {1, 3, 4, 6, 7, 8, 9}, alike=False)
    copy = corpus.copy()
    os.remove(copy.path("ledger.db"))
    corpus.expect("database: removed", copy, {3})
    os.remove(copy.path("ledger.mark"))
    corpus.expect("database: removed, with the mark", copy, {1})


def damage_mark(corpus):
    for at in range(64):
        copy = corpus.copy()
        copy.flip("ledger.mark", at)
        corpus.expect("mark: flipped at %d" % at, copy, {3})
        copy = corpus.copy()
        os.truncate(copy.path("ledger.mark"), at)
        corpus.expect("mark: cut at %d" % at, copy, {3})
    for name, sequence, leaf in ("above the head", len(corpus.records), bytes(32)), ("another leaf", 5, bytes(32)):
        copy = corpus.copy()
        copy.write_mark(sequence, leaf)
        corpus.expect("mark: " + name, copy, {3})


ALL = {"log": damage_log, "database": damage_database, "mark": damage_mark}
