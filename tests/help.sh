#!/bin/sh
# tests/help.sh ROOT: each of the project's scripts says with --help what it does, and does nothing else.
# It finds no program to do anything with: only what prints the help.
set -eu
case ${1:-} in -h|--help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
programs=$(mktemp -d "${TMPDIR:-/tmp}/callgate-help-XXXXXX")
trap 'rm -rf "$programs"' EXIT
ln -s "$(command -v sed)" "$(command -v dirname)" "$programs"

cd "$1"
status=0
for script in .ci/* examples/*.sh tests/*.sh tests/*/*.sh; do
  said=$(PATH=$programs /bin/sh "$script" --help 2>&1 </dev/null) || { echo "$script --help failed: $said"; status=1; continue; }
  case $said in
    *"${script##*/}"*) ;;
    *) echo "$script --help does not say what it is: $said"; status=1 ;;
  esac
done
exit $status
