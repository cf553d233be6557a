#!/bin/sh
# exits.sh CODE COMMAND...: runs the command, and fails unless it exits with that very code.
wanted=$1
shift
"$@"
status=$?
[ "$status" -eq "$wanted" ] && exit 0
echo "exit code $status instead of $wanted: $*" >&2
exit 1
