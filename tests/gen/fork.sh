#!/bin/sh
# Contexts with threads in children of the process that made them; the threads of a program under a
# sanitizer, which looks at their alternate stacks when they end; entry points without parameters.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

cat >forked.fut <<'EOF'
entry sum (xs: []i32) : i32 = i32.sum xs
entry sums [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs
entry three : i32 = 3
EOF
cp "$root/tests/gen/fork_client.c" .

about "calls in a child"
run raido multicore --library forked.fut
silent
exits 0
run ${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -o client fork_client.c forked.c -lm -lpthread
silent
exits 0
run timeout 60 ./client
is 'right'
exits 0

about "threads under a sanitizer"
CFLAGS='-O1 -fsanitize=address' run raido multicore -o threads forked.fut
exits 0
raido dataset -b -s 1 -g '[200000]i32' >in
run sh -c './threads -b -e sum --num-threads 4 <in >out'
silent
exits 0
run ./threads -e three
is '3i32'
exits 0
finish
