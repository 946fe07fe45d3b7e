#!/bin/sh
# quickstart.sh [--yes] [--keep] [--build FOLDER]
# Installs what is missing, builds callgate, and shows its main job in a scratch folder: a scripted agent works with a
# real MCP server through callgate; one call is allowed, one is asked and answered by you, one is denied; all is on record.
#   --yes           answers for you (for scripts)
#   --keep          leaves the scratch folder
#   --build FOLDER  uses the programs in FOLDER: installs and builds nothing
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname -- "$here")

yes= keep= build=
while [ $# -gt 0 ]; do
  case $1 in
    --yes) yes=1 ;;
    --keep) keep=1 ;;
    --build) build=${2:?--build needs a folder}; shift ;;
    -h|--help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "quickstart.sh: unknown option \`$1\`; see --help" >&2; exit 2 ;;
  esac
  shift
done
[ -n "$yes" ] || [ -t 0 ] || { echo "quickstart.sh: there is no terminal to ask you at; --yes answers for you" >&2; exit 2; }

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold= plain=; fi
title() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }

if [ -z "$build" ]; then
  title "Building callgate (preset release; the first time takes some minutes)"
  "$here/install-packages.sh"
  build=$root/build/release
  mkdir -p "$build"
  (cd "$root" && cmake --preset release >"$build/configure.log" 2>&1) || { tail -n 20 "$build/configure.log" >&2; exit 1; }
  cmake --build "$build" --target callgate workshop scripted-agent
fi
build=$(cd "$build" && pwd)
callgate=$build/callgate

scratch=$(mktemp -d "${TMPDIR:-/tmp}/callgate-quickstart-XXXXXX")
scratch=$(cd "$scratch" && pwd -P)
agent=
clean_up() {
  [ -z "$agent" ] || kill "$agent" 2>/dev/null || true
  if [ -n "$keep" ]; then echo "Kept: $scratch"; else rm -rf "$scratch"; fi
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# Nothing of yours is touched: configuration and state of this run stand in the scratch folder.
export XDG_CONFIG_HOME="$scratch/config" XDG_STATE_HOME="$scratch/state"
mkdir -p "$scratch/workspace" "$XDG_CONFIG_HOME/callgate" "$XDG_STATE_HOME"
echo 'Measure twice, cut once.' >"$scratch/workspace/notes.txt"
echo 'TOKEN=not-for-agents' >"$scratch/workspace/.env"
# One denied call shall not stop the show, also when missions pause.
echo 'pause_on = "never"' >"$XDG_CONFIG_HOME/callgate/callgate.toml"
cat >"$XDG_CONFIG_HOME/callgate/policy.toml" <<'END'
version = 1
default = "deny"

[[allow]]
id   = "read-here"
read = ["**"]

[[ask]]
id    = "write-here"
write = ["**"]
why   = "changes files"

[[deny]]
id   = "secrets"
path = ["**/.env"]
why  = "secrets stay here"
END
cat >"$scratch/agent.jsonl" <<'END'
{"initialize": {"name": "scripted-agent"}}
{"say": "reads a file: the policy allows it"}
{"call": "read_file", "arguments": {"path": "notes.txt"}, "id": 1, "text": "Measure twice"}
{"say": "writes a file: the policy asks you"}
{"call": "write_file", "arguments": {"path": "plan.txt", "content": "First: measure.\n"}, "id": 2, "answer": {"result": {}}, "within_ms": 600000}
{"say": "reads a secret: the policy denies it"}
{"call": "read_file", "arguments": {"path": ".env"}, "id": 3, "refused": "secrets"}
END

title "The policy"
cat "$XDG_CONFIG_HOME/callgate/policy.toml"
title "A scripted agent starts  callgate run -- workshop  in place of  workshop"
(cd "$scratch/workspace" && exec "$build/scripted-agent" "$scratch/agent.jsonl" -- \
  "$callgate" run --name workshop -- "$build/workshop") &
agent=$!

# The number is the first word of the list. (In --json it stands beside the agent's own arguments: read that with a parser.)
pending_id() { "$callgate" pending 2>/dev/null | awk 'NR == 1 { print $1 }'; }
id=
tries=0
while [ -z "$id" ] && kill -0 "$agent" 2>/dev/null && [ $tries -lt 300 ]; do
  id=$(pending_id || true)
  [ -n "$id" ] || { tries=$((tries + 1)); sleep 0.1; }
done
if [ -z "$id" ]; then
  wait "$agent" || true
  agent=
  echo "quickstart.sh: the call was not asked for" >&2
  exit 1
fi

title "It waits: callgate pending $id  (or  callgate console  in another terminal)"
"$callgate" pending "$id"
if [ -n "$yes" ]; then
  echo "(--yes) callgate approve $id"
  "$callgate" approve "$id"
else
  printf '\nThe same from elsewhere:\n  XDG_CONFIG_HOME=%s XDG_STATE_HOME=%s %s console\n' \
    "$XDG_CONFIG_HOME" "$XDG_STATE_HOME" "$callgate"
  answer=
  while [ -z "$answer" ]; do
    printf '%sAllow this write? [a]llow or [d]eny:%s ' "$bold" "$plain"
    read -r answer || answer=d
    case $answer in
      a|allow) "$callgate" approve "$id" || true ;;  # answered elsewhere meanwhile: first answer wins
      d|deny) "$callgate" deny "$id" --reason "denied in the quickstart" || true ;;
      *) answer= ;;
    esac
  done
fi
status=0
wait "$agent" || status=$?
agent=
[ $status -eq 0 ] || { echo "quickstart.sh: the agent's script failed" >&2; exit 1; }

title "The ledger: callgate ledger list"
"$callgate" ledger list
title "Its verification: callgate ledger verify"
"$callgate" ledger verify

title "Done"
cat <<END
To guard a server of your own agent, put callgate before its command in the MCP configuration:
  "files": { "command": "$callgate",
             "args": ["run", "--", "npx", "-y", "@modelcontextprotocol/server-filesystem", "."] }
END
