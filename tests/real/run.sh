#!/bin/sh
# tests/real/run.sh BUILD [PART…]: callgate between real clients and a real server from npm. BUILD holds callgate and
# real/record; PART is transparent, sdk, mcpc or modern (all). Packages are pinned by npm/package-lock.json and installed
# once under BUILD/real/npm, without their scripts. Prints `ok NAME` and `not ok NAME`, then `N passed, N failed`.
# Exit 77 with the reason when node, npm or the registry are missing.
set -eu
case ${1:-} in -h|--help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac

[ $# -ge 1 ] || { echo 'usage: tests/real/run.sh BUILD [PART…]' >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- transparent sdk mcpc modern

skip() { echo "skipped: $1"; exit 77; }
command -v node >/dev/null || skip 'node is not installed'
command -v npm >/dev/null || skip 'npm is not installed'
[ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 20')" = true ] || skip "node $(node --version) is older than 20"

cache=$build/real/npm
wanted=$(cksum <"$here/npm/package-lock.json")
if [ "$(cat "$cache/installed" 2>/dev/null || true)" != "$wanted" ]; then
  rm -rf "$cache"
  mkdir -p "$cache"
  cp "$here/npm/package.json" "$here/npm/package-lock.json" "$cache/"
  (cd "$cache" && timeout 180 npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1) || {
    tail -3 "$cache/npm.log"
    skip 'npm cannot install the packages'
  }
  echo "$wanted" >"$cache/installed"
fi
cp "$here"/npm/*.mjs "$cache/"  # modules are found from where a script stands

scratch=$build/real/scratch
mkdir -p "$scratch"
export CALLGATE="$build/callgate" RECORD="$build/real/record" SCRATCH="$scratch"
export SERVER="$cache/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"
exit_code=0
for part in "$@"; do
  echo "# $part"
  timeout 150 node "$cache/$part.mjs" >"$scratch/$part.out" 2>&1 || exit_code=1
  cat "$scratch/$part.out"
done
cd "$scratch"
for part in "$@"; do cat "$part.out"; done |
  awk '/^ok /{good++} /^not ok /{bad++} END{printf "all parts: %d passed, %d failed\n", good, bad}'
exit $exit_code
