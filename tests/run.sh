#!/bin/sh
# tests/run.sh [--preset NAME] [--target NAME] [CTEST-OPTION…]: installs what is missing, builds (preset dev, everything),
# runs every test.
# Last line: `N passed, N failed`, with `, N skipped` where parts could not run; these are named with their reasons above.
# Counts test cases: those of a unit test program, or of a script that counts, one by one.
set -eu
case ${1:-} in -h|--help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
preset=dev
if [ "${1:-}" = --preset ]; then preset=$2; shift 2; fi
target=all
if [ "${1:-}" = --target ]; then target=$2; shift 2; fi
cd "$root"
build=build/$preset
jobs=$(nproc 2>/dev/null || echo 2)

examples/install-packages.sh
mkdir -p "$build"
cmake --preset "$preset" >"$build/configure.log" 2>&1 || { cat "$build/configure.log"; echo "0 passed, 1 failed"; exit 1; }
cmake --build "$build" -j "$jobs" --target "$target" || { echo "the build failed"; echo "0 passed, 1 failed"; exit 1; }

status=0
rm -f "$build/tests.xml"
ctest --test-dir "$build" -j "$jobs" --output-on-failure --no-tests=error --output-junit tests.xml \
  --test-output-size-passed 1000000 --test-output-size-failed 1000000 "$@" || status=$?
[ -f "$build/tests.xml" ] || { echo "0 passed, 1 failed"; exit 1; }
awk -f tests/summary.awk "$build/tests.xml"
exit $status
