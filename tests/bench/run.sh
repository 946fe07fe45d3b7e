#!/bin/sh
# tests/bench/run.sh [OPTIONS]: what callgate costs, against a direct connection and a bare byte relay.
#   --build DIR     where callgate and bench/ stand (build/release; built there when it is the preset)
#   --unpinned      not on one core (then the figures are mostly the waking of a sleeping core)
#   --rounds N      rounds over all cases, interleaved so that drift cancels (5)
#   --soak N        calls of the memory measurement (100000)
#   --server CMD    the server measured (bench/bench_server, the leanest; `workshop` is a real one)
#   --only CASES    of `direct relay process disk` (all that can run)
#   --scratch DIR   state and results (DIR/bench-run in the build folder); must be on a real disk
#   --append        add this run to tests/bench/RESULTS.md
# Takes two to three minutes, prints a table and the targets, leaves results.json and results.svg in the scratch
# folder. Asserts nothing on time: exit 0 whenever it could measure, 1 when a program failed, 2 on usage.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/release pinned=yes rounds=5 soak=100000 cases='direct relay process disk' scratch='' append='' server=bench/bench_server
command_line=tests/bench/run.sh
for word in "$@"; do
  case $word in *\ *) command_line="$command_line '$word'" ;; *) command_line="$command_line $word" ;; esac
done
while [ $# -gt 0 ]; do
  case $1 in
    --unpinned) pinned=''; shift; continue ;;
    --append) append=$here/RESULTS.md; shift; continue ;;
    -h|--help) sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p;}' "$0"; exit 0 ;;
  esac
  [ $# -ge 2 ] || { echo "run.sh: unknown option or missing value: $1" >&2; exit 2; }
  case $1 in
    --build) build=$2 ;;
    --rounds) rounds=$2 ;;
    --soak) soak=$2 ;;
    --server) server=$2 ;;
    --only) cases=$2 ;;
    --scratch) scratch=$2 ;;
    *) echo "run.sh: unknown option: $1" >&2; exit 2 ;;
  esac
  shift 2
done

if [ "$build" = "$root/build/release" ]; then
  [ -f "$build/build.ninja" ] || (cd "$root" && cmake --preset release >/dev/null)
  ninja -C "$build" callgate workshop relay bench_client bench_server bench_report fdatasync_floor | tail -1
fi
for program in "$server" bench/relay bench/bench_client bench/bench_report bench/fdatasync_floor; do
  [ -x "$build/$program" ] || { echo "run.sh: \`$build/$program\` is missing: build it first" >&2; exit 1; }
done

scratch=${scratch:-$build/bench-run}
rm -rf "$scratch"
mkdir -p "$scratch/home" "$scratch/workspace"
kind=$(stat -f -c %T "$scratch" 2>/dev/null || echo unknown)
case $kind in tmpfs|ramfs)
  echo "run.sh: \`$scratch\` is on $kind, where nothing is durable: give --scratch on a disk" >&2; exit 1 ;;
esac

pin=''
if [ -n "$pinned" ]; then
  if command -v taskset >/dev/null; then
    # The last core that we may use: the first one serves most interrupts.
    core=$(taskset -pc $$ | sed 's/.*[-, ]//')
    pin="taskset -c $core"
  else
    echo 'run.sh: no taskset here: not pinned' >&2
  fi
fi

# One configuration and one state folder a durability; the operator's own are not touched.
for durability in process disk; do
  mkdir -p "$scratch/$durability/config/callgate" "$scratch/$durability/state"
  printf 'durability = "%s"\npause_on = "never"\n' "$durability" >"$scratch/$durability/config/callgate/callgate.toml"
  cp "$here/policy.toml" "$scratch/$durability/config/callgate/policy.toml"
done

# measure CASE OPTIONS…: one line of JSON in rounds.jsonl
measure() {
  name=$1; shift
  case $name in
    direct) set -- "$@" -- "$build/$server" ;;
    relay) set -- "$@" -- "$build/bench/relay" "$build/$server" ;;
    *) set -- "$@" -- "$build/callgate" run --name workshop -- "$build/$server" ;;
  esac
  # shellcheck disable=SC2086
  (cd "$scratch/workspace" && HOME=$scratch/home XDG_CONFIG_HOME=$scratch/$name/config \
    XDG_STATE_HOME=$scratch/$name/state $pin "$build/bench/bench_client" --case "$name" "$@") \
    >>"$scratch/rounds.jsonl" 2>>"$scratch/errors.log" && return 0
  echo "run.sh: $name failed:" >&2
  tail -5 "$scratch/errors.log" >&2
  return 1
}

able=''
for name in $cases; do
  case $name in process|disk)
    [ -x "$build/callgate" ] || { echo "run.sh: no callgate in $build: $name is left out" >&2; continue; } ;;
  esac
  measure "$name" --starts 1 || exit 1  # also makes the ledger, which is no part of a start
  able="$able $name"
done
: >"$scratch/rounds.jsonl"

round=0
while [ "$round" -lt "$rounds" ]; do
  round=$((round + 1))
  for name in $able; do
    case $name in
      disk) size='--small 1500 --small-many 6000' ;;
      *) size='--small 4000 --small-many 12000' ;;
    esac
    printf '\r%-40s' "round $round of $rounds: $name" >&2
    # shellcheck disable=SC2086
    measure "$name" --starts 5 $size --large 60 --large-many 64 || exit 1
  done
  # The bare sync, busy between two for as long as a call without it takes.
  pace=$(sed -n 's/.*"case":"process".*"small":{[^}]*"p50_us":\([0-9]*\).*/\1/p' "$scratch/rounds.jsonl" | tail -1)
  printf '\r%-40s' "round $round of $rounds: fdatasync" >&2
  $pin "$build/bench/fdatasync_floor" "$scratch/floor.bin" 1500 "${pace:-60}" >>"$scratch/rounds.jsonl"
done
for name in $able; do
  printf '\r%-40s' "memory: $name" >&2
  measure "$name" --soak "$soak" || exit 1
done
printf '\r%-40s\r' '' >&2

machine="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores, $(uname -s) $(uname -r | cut -d- -f1)"
"$build/bench/bench_report" "$scratch/rounds.jsonl" "$machine" "$command_line" "$(date -u +%Y-%m-%d)" "$scratch" \
  ${append:+"$append"}
echo
echo "wrote $scratch/results.json and $scratch/results.svg${append:+, appended to $append}"
