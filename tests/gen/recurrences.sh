#!/bin/sh
# Sums of what recurrences give (src/gen/cfold.c), compiled, are what the interpreter gives: for sizes around
# those at which code changes, with one thread and with several.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

cp "$root/tests/gen/recurrences.fut" .
for backend in c multicore; do
	about "$backend"
	CFLAGS='-O2 -std=c11 -Wall -Wextra -DRD_LEAST_WORK=2' run raido $backend -o $backend recurrences.fut
	silent
	exits 0
done

for size in '1 3' '7 1' '16 4' '17 33' '67 0' '150 5'; do
	n=${size% *}
	k=${size#* }
	raido dataset -s $((n + k)) --f64-bounds=-1:1 -g "[$n]f64" -g "[$n][$k]f64" -g "[$k][$n]f64" >in
	for entry in $(sed -n 's/^entry \([a-z_]*\).*/\1/p' recurrences.fut); do
		[ "$k" -gt 0 ] || case $entry in poly | walks | walks_columns | walks_forward) ;; *) continue ;; esac
		raido run -e "$entry" recurrences.fut <in >interpreted 2>&1
		about "$entry at $n x $k"
		./c -e "$entry" <in >compiled 2>&1
		run raido datacmp compiled interpreted
		exits 0
		about "$entry at $n x $k with threads"
		OMP_NUM_THREADS=3 ./multicore -e "$entry" <in >compiled 2>&1
		run raido datacmp compiled interpreted
		exits 0
	done
done

# They are in lanes at all.
about 'in lanes'
run grep -c 'lanes\[' c.c
exits 0
run grep -c 'rd_vsum_f[36][24](' c.c
exits 0

# One operation is done again rather than its results kept: lanes have no memory for that.
for entry in poly_gradient again_one again_two again_single; do
	about "$entry keeps nothing in lanes"
	sed -n "/^static.* rd_fun_$entry(/,/^}/p" c.c >function.c
	run grep -c 'rd_vsum_f[36][24](' function.c
	exits 0
	run grep -c 'lanes\[' function.c
	exits 1
done

# Scalars of loops that follow each other are not there at the same time, and what is kept need not be on the stack.
for entry in trends_gradient swings_gradient; do
	about "$entry in vectors"
	sed -n "/^static.* rd_fun_$entry(/,/^}/p" c.c >function.c
	run grep -c 'rd_store_f64(&lanes' function.c
	exits 0
done

about 'running: functions of both branches once, in vectors'
sed -n '/^static.* rd_fun_running(/,/^}/p' c.c >function.c
run grep -c 'rd_vexp_f64(' function.c
exits 0
run grep -c 'rd_gather_f64(' function.c
exits 0
about 'chain: functions of rows in vectors'
sed -n '/^static.* rd_fun_chain(/,/^}/p' c.c >function.c
run grep -c 'rd_vexp_f64(' function.c
exits 0
for entry in layers_blended layers_blended_gradient; do
	about "$entry: functions beside a recurrence, of indices in single precision, in vectors"
	sed -n "/^static.* rd_fun_$entry(/,/^}/p" c.c >function.c
	run grep -c 'rd_vexp_f32(' function.c
	exits 0
	run grep -c 'rd_count_f32(' function.c
	exits 0
done
about 'running_gradient: adds to elements of its own in vectors'
sed -n '/^static.* rd_fun_running_gradient(/,/^}/p' c.c >function.c
run grep -c 'rd_scatter_f64(' function.c
exits 0
finish
