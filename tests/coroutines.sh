#!/bin/sh
# tests/coroutines.sh ROOT: no braces stand in what is awaited. g++ 12 destroys a temporary that braces make in a
# `co_await` expression twice, without a warning: give it a name first.
set -eu
case ${1:-} in -h|--help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
cd "$1"
files=$(grep -rl co_await --include='*.[ch]pp' approvals ledger policy proxy recovery transports)
# shellcheck disable=SC2086
awk '
  function told(text) { return text ~ /co_await[^;{}]*\([^;{}]*\{/ }
  FNR == 1 { statement = "" }
  {
    line = $0
    sub(/\/\/.*/, "", line)
    if (index(line, "co_await") || statement != "") statement = statement " " line
    if (statement != "" && line ~ /[;]|\{$/) {
      if (told(statement) && statement !~ /\)[ ]*\{[ ]*$/) { print FILENAME ":" FNR ":" statement; bad = 1 }
      statement = ""
    }
  }
  END { exit bad }' $files
