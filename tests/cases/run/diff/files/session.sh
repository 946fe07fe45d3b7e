# session.sh MISSION CALL…: a session of that mission, in which each call is the arguments of write_file; ends with its last answer.
mission=$1
shift
mkfifo "pipe-$mission"
'CALLGATE' run --mission "$mission" --policy ../policy.toml -- 'WORKSHOP' <"pipe-$mission" >"answers-$mission" 2>/dev/null &
{
  printf '%s\n' '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"'"$AGENT"'","version":"1"}}}' '{"jsonrpc":"2.0","method":"notifications/initialized"}'
  id=0
  for arguments; do
    id=$((id + 1))
    printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"write_file","arguments":%s}}\n' "$id" "$arguments"
    until grep -q "\"id\":$id[,}]" "answers-$mission" 2>/dev/null; do sleep 0.02; done
  done
} >"pipe-$mission"
wait
