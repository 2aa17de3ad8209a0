#!/bin/sh
# Constants are evaluated when a context is made: what fails is told by futhark_context_get_error
# right after.  Those that cannot fail cost nothing.  BACKENDS: of which back ends.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
cp "$root/tests/gen/constants_client.c" .

# For all i64 in place of CASE: 10 fails at once, 11 divides by zero in a map, 20 is fine.
make_client() {
	sed "s/CASE/$2/" "$root/tests/gen/constants.in" >constants.fut
	run raido "$1" --library constants.fut
	silent
	run ${CC:-cc} -std=c11 -g -O1 -fsanitize=address,undefined -o client constants_client.c \
		constants.c -lm -lpthread -ldl
	silent
	run env ASAN_OPTIONS=detect_leaks=0:protect_shadow_gap=0 ./client
}

for backend in ${BACKENDS:-c multicore}; do
	about "$backend"
	make_client "$backend" 10
	says '^Error: Assertion is false: \(size < 10\)$'
	says '-> #0  constants.fut:5:13'
	says '^0 51$'
	make_client "$backend" 11
	says '^Error: division by zero$'
	says '-> #0  constants.fut:6:'
	says '^0 51$'
	make_client "$backend" 20
	is 'no error
0 51'
	exits 0
done

about "no constants that may fail"
cat >safe.fut <<'EOF'
def table = map (\i -> i * i) (iota 100)
entry main (i: i64) = table[i]
EOF
run raido c --library safe.fut
if grep -q rd_evaluate_constants safe.c; then grep -q 'define RD_CONSTANTS' safe.c && not_ok "evaluated"; fi
ok

about "executables"
run raido c constants.fut
silent
in=3 run ./constants
is 51i64
sed 's/CASE/10/' "$root/tests/gen/constants.in" >bad.fut
run raido c bad.fut
in=3 run ./bad
complains 'Assertion is false'
exits 1
finish
