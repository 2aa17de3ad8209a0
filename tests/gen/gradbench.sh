#!/bin/sh
# The tool of GradBench (tools/gradbench), through all evals of the suite and messages that make no
# sense.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

if ! echo '#include <jansson.h>' | ${CC:-cc} -E -x c - >/dev/null 2>&1; then
	echo "gradbench.sh: skipped, Jansson is not installed"
	echo "0 passed, 0 failed"
	exit
fi

for backend in c multicore; do
	about "$backend"
	run env BACKEND=$backend CFLAGS='-O0 -w' "$root/tools/gradbench/build" "$work/$backend"
	silent
	exits 0
	run python3 "$root/tests/gradbench/driver.py" "$work/$backend/gradbench"
	exits 0
	is "$(printf '%s\n' "$out" | grep -E '^[0-9]+ passed, 0 failed$' | tail -n 1)"
done
finish
