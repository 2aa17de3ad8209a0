#!/bin/sh
# Very many rows without elements take no time: they are not filled, copied or computed one by one.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

cp "$root/tests/gen/no_elements.fut" "$root/tests/gen/no_elements_rows.fut" .
about interpreted
run timeout 60 "$RAIDO" test -i --no-terminal no_elements_rows.fut
exits 0
CFLAGS='-O1 -std=gnu11 -w'
export CFLAGS
for backend in c multicore; do
	about "$backend"
	run timeout 60 "$RAIDO" test -c --backend=$backend --no-terminal no_elements.fut no_elements_rows.fut
	exits 0
done
finish
