"""The ledger's files (FORMAT.md, «High-water mark», «Lock»; of the write-ahead log SQLite's file format)."""
import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import sqlite3
import struct
import tempfile
import time


class NoLedger(Exception):
    pass


class Unreadable(Exception):
    pass


@contextlib.contextmanager
def private_copy(folder):
    """Of database, write-ahead log and mark as they stand under the ledger's lock; a copy of a ledger may have none."""
    with tempfile.TemporaryDirectory(prefix="ledger-verify-") as copy, contextlib.ExitStack() as held:
        with contextlib.suppress(FileNotFoundError):
            acquire(held.enter_context(open(os.path.join(folder, "ledger.lock"), "rb")))
        for name in "ledger.db", "ledger.db-wal", "ledger.mark":
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(os.path.join(folder, name), os.path.join(copy, name))
        held.close()
        yield copy


def acquire(lock):
    end = time.monotonic() + 2
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise Unreadable("another process held the lock for too long")
            time.sleep(0.01)


def read(*path):
    try:
        with open(os.path.join(*path), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def read_mark(folder):
    """((sequence, leaf), "") or (None, what is wrong)."""
    mark = read(folder, "ledger.mark")
    if mark is None:
        return None, "missing"
    if len(mark) != 64 or mark[:8] != b"cgmark1\0" or hashlib.sha256(mark[:48]).digest()[:16] != mark[48:]:
        return None, "damaged"
    return (int.from_bytes(mark[8:16], "big"), mark[16:48]), ""


def payloads_key(folder):
    key = read(folder, "keys", "payloads.key")
    if key is not None and not re.fullmatch(rb"[0-9a-f]{64}\n", key):
        raise Unreadable("keys/payloads.key holds no key")
    return key and bytes.fromhex(key.decode())


def open_database(folder):
    """None: it is gone or empty."""
    path = os.path.join(folder, "ledger.db")
    if not os.path.exists(path):
        return None
    database = sqlite3.connect(path)
    database.text_factory = bytes
    for pragma in "trusted_schema = OFF", "cell_size_check = ON":
        database.execute("PRAGMA " + pragma)
    if database.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,):
        database.close()
        return None
    return database


def is_trouble_of_the_disk(error):
    return any(words in str(error) for words in ("disk I/O error", "unable to open", "disk is full", "out of memory"))


def wal_trouble(wal):
    """What is wrong with the write-ahead log; SQLite takes what stands behind the first bad frame for nothing."""
    if not any(wal[:32]):
        return ""
    if len(wal) < 32:
        return "the write-ahead log is cut off within its header"
    magic, _, page = struct.unpack_from(">III", wal)
    order, salts = ">" if magic & 1 else "<", wal[16:24]

    def summed(data, first, second):
        for one, other in struct.iter_unpack(order + "II", data):
            first = (first + one + second) & 0xFFFFFFFF
            second = (second + other + first) & 0xFFFFFFFF
        return first, second

    sums = summed(wal[:24], 0, 0)
    if magic & ~1 != 0x377F0682 or not 512 <= page <= 65536 or sums != struct.unpack_from(">II", wal, 24):
        return "the header of the write-ahead log is damaged, and what stands behind it is lost"
    stale = broken = 0
    for number, at in enumerate(range(32, len(wal), 24 + page), 1):
        frame = wal[at:at + 24 + page]
        ours = frame[8:16] == salts if len(frame) >= 16 else any(frame) and not stale
        if len(frame) < 24 + page:
            return "the write-ahead log is cut off within frame %d" % number if broken or ours else ""
        if not ours:
            stale = stale or number
            continue
        broken = broken or stale  # ours again behind one that is not
        sums = summed(frame[:8] + frame[24:], *sums)
        if not broken and sums != struct.unpack_from(">II", frame, 16):
            broken = number
    return "frame %d of the write-ahead log is damaged, and what stands behind it is lost" % broken if broken else ""
