# The guard: a shell that ends the node when its input closes, which also happens when the server
# is killed. The process ids of server and node are kept in case the guard itself is killed.
exec 3<&0
"$@" </dev/null & node=$!
echo "$SERVER_PID $node" > "$PID_FILE"
(cat <&3 >/dev/null; kill "$node") 2>/dev/null & watch=$!
wait "$node"; code=$?
kill "$watch" 2>/dev/null
exit "$code"
