#!/bin/sh
# run.sh FIRST_VERIFIER [WORDS OF corpus.py]: both verifiers on ledgers that were tampered with.
# run.sh --shows FIRST_VERIFIER CASE_RUNNER CALLGATE WORKSHOP: what the commands say of a real one, tampered with in each way,
# and then the families that fit it.
# Exit 77: there is no python3 here that will do.
set -eu
case ${1:-} in -h|--help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
source=$(cd "$(dirname -- "$0")/../.." && pwd)
command -v python3 >/dev/null || { echo 'skipped: the second verifier (no python3)'; exit 77; }
python3 -c 'import sys, sqlite3; sys.exit(sys.version_info < (3, 9) or sqlite3.sqlite_version_info < (3, 37))' ||
  { echo 'skipped: the second verifier (python3 is older than 3.9, or its SQLite than 3.37)'; exit 77; }
if [ "${1:-}" != --shows ]; then
  first=$1
  shift
  exec python3 "$source/tests/verifiers/corpus.py" "$first" "$source" "$@"
fi
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/callgate-shows-XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
CALLGATE_KEEP=1 "$3" "$4" "$5" "$source/tests/cases/run/grant-call" >"$TMPDIR/case.txt" || { cat "$TMPDIR/case.txt"; exit 1; }
state=$(echo "$TMPDIR"/callgate-case-*/state/callgate)
python3 "$source/tests/verifiers/shows.py" "$4" "$source" "$state"
python3 "$source/tests/verifiers/corpus.py" "$2" "$source" "$state" records payloads schema log mark
