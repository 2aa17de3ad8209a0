#!/bin/sh
# Compiled loops give what the interpreter gives, for sizes around those at which code changes.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

cp "$root/tests/gen/shapes.fut" .
CFLAGS='-O2 -std=c11 -Wall -Wextra' run raido c shapes.fut
silent
exits 0

for n in 1 7 8 9 16 17 33; do
	raido dataset -s $n --f64-bounds=0:1 -g "[$n]f64" -g "[$n]f64" >in
	for entry in $(sed -n 's/^entry \([a-z_]*\).*/\1/p' shapes.fut); do
		about "$entry at $n"
		./shapes -e "$entry" <in >compiled 2>&1
		raido run -e "$entry" shapes.fut <in >interpreted 2>&1
		run raido datacmp compiled interpreted
		exits 0
	done
done

about "logarithms of 1 + x in vectors"
run raido c --library shapes.fut
run grep -c 'rd_vlog1p_f64(' shapes.c
says '^[3-9]'

about "a value with its gradient, in vectors as the gradient alone"
cp "$root/bench/general/programs/conv_stride.fut" .
sed -n '/^entry gradient/,$ { s/gradient/both/; s/vjp/vjp2/; p }' conv_stride.fut >>conv_stride.fut
run raido c --library conv_stride.fut
run sh -c "sed -n '/^static.*rd_fun_both/,/^}/p' conv_stride.c | grep -c 'rd_load_evens_f32('"
says '^[1-9]'
finish
