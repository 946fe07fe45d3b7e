#!/bin/sh
# layers.sh ROOT FOLDER [MODULE…]: fails when a file in FOLDER includes one of our headers from outside
# FOLDER and the modules it may use (the table in the top CMakeLists.txt).
set -eu
case ${1:-} in -h|--help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
root=$1 folder=$2
shift 2
cd "$root"
allowed="^$folder/"
for module in "$@"; do
  [ "$module" = base ] && module=proxy/base
  allowed="$allowed|^$module/"
done
files=$(find "$folder" -name '*.[ch]pp')
[ "$folder" = proxy ] && files=$(find proxy -path proxy/base -prune -o -name '*.[ch]pp' -print)
[ -n "$files" ] || { echo "no files in $folder"; exit 1; }
# shellcheck disable=SC2086
bad=$(grep -n '^#include "' $files /dev/null | sed 's/#include "\([^"]*\)".*/\1/' | awk -F: -v ok="$allowed" '$3 !~ ok' || true)
# Asio is unknown in policy and ledger.
case $folder in policy|ledger)
  asio=$(grep -ln '<boost/\(asio\|beast\)' $files || true)
  [ -z "$asio" ] || { echo "Asio or Beast in: $asio"; exit 1; } ;;
esac
[ -z "$bad" ] || { echo "$folder includes upwards:"; echo "$bad"; exit 1; }
