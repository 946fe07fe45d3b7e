#!/usr/bin/env python3
"""shows.py CALLGATE SOURCE_DIR STATE_FOLDER: on copies of a real ledger, what `callgate ledger verify` and the second verifier
say of each way to tamper: another exit code and another message for each."""
import os
import shutil
import subprocess
import sys
import tempfile


def flip_byte(copy):
    at, data = copy.read("SELECT sequence, body FROM record WHERE type = 'decision' ORDER BY sequence LIMIT 1")[0]
    copy.change(("UPDATE record SET body = ? WHERE sequence = ?", (data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], at)))


def cut_tail(copy):
    copy.change("DELETE FROM record WHERE sequence > 5", "DELETE FROM payload WHERE id / 64 > 5")


def cut_log(copy):
    with open(os.path.join(copy.log, "ledger.db-wal"), "rb") as file:
        log = file.read()
    shutil.copyfile(os.path.join(copy.log, "ledger.db"), copy.path("ledger.db"))
    with open(copy.path("ledger.db-wal"), "wb") as file:
        file.write(log[:len(log.rstrip(b"\0")) * 2 // 3])


def swap_records(copy):
    copy.change("UPDATE record SET sequence = -1 WHERE sequence = 4", "UPDATE record SET sequence = 4 WHERE sequence = 5",
                "UPDATE record SET sequence = 5 WHERE sequence = -1")


def forge_purge(copy):
    """A record that says so, chained well, the checkpoints after it taken away, and the payload gone."""
    records = [body.decode(each) for each in copy.bodies()]
    gone = copy.read("SELECT max(id) FROM payload")[0][0]
    head = {key: records[-1][key] for key in body.ALWAYS}
    copy.rebuild(records + [dict(head, type="purge", details={"payloads": str(gone)})])
    copy.change("DELETE FROM payload WHERE id = %d" % gone)


SHOWS = [("nothing", 0, "SIGNED", None), ("one byte flipped", 6, "INCONSISTENT (altered)", flip_byte),
         ("tail cut", 3, "the high-water mark is above the head", cut_tail),
         ("write-ahead log cut", 10, "the write-ahead log is cut off", cut_log),
         ("records swapped", 7, "INCONSISTENT (chain)", swap_records), ("purge forged", 8, "INCONSISTENT (purge)", forge_purge)]


def main(callgate, source, state):
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="callgate-shows-") as folder:
        base = os.path.join(folder, "base")
        shutil.copytree(state, base)
        os.makedirs(os.path.join(folder, "config/callgate"))
        shutil.copy(os.path.join(state, "../../config/callgate/ledgers"), os.path.join(folder, "config/callgate"))
        forge.empty_log(base)
        environment = dict(os.environ, XDG_STATE_HOME=os.path.join(folder, "copies"), HOME=folder, NO_COLOR="1",
                           XDG_CONFIG_HOME=os.path.join(folder, "config"))
        os.mkdir(environment["XDG_STATE_HOME"])
        for name, exit_, words, tamper in SHOWS:
            copy = forge.Copy(base, os.path.join(environment["XDG_STATE_HOME"], "callgate"))
            copy.log = state
            if tamper:
                tamper(copy)
            second = subprocess.run([sys.executable, os.path.join(source, "examples/verify/verify.py"), copy.folder],
                                    stdout=subprocess.PIPE, text=True)
            first = subprocess.run([callgate, "ledger", "verify"], env=environment, stdout=subprocess.PIPE, text=True)
            right = (first.returncode, second.returncode) == (exit_, exit_) and words in first.stdout
            wrong += not right
            print("%s%s: %d, %d\n    %s" % ("" if right else "WRONG ", name, first.returncode, second.returncode,
                                          "\n    ".join(first.stdout.splitlines()[:3 if "loss" in first.stdout else 1])))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.join(sys.argv[2], "examples", "verify"))
    import body
    import forge
    sys.exit(main(*sys.argv[1:]))
