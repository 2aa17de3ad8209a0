#!/bin/sh
# Constants are evaluated once, when a context is made, and kept in it: what fails is told by
# futhark_context_get_error right after.  Those that are cheap are inlined.  BACKENDS: of which back ends.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
cp "$root/tests/gen/constants_client.c" "$root/tests/gen/kept_client.c" "$root/tests/gen/kept.fut" .
# What the drivers of devices keep is not the program's.
leaks=detect_leaks=1
case ${BACKENDS-} in *opencl*|*cuda*) leaks=detect_leaks=0 ;; esac
cat >bad_or_good.fut <<'EOF'
def size = #[param(size)] 10i64
def none : i64 = opaque 0
def squares = #[trace(squares)] map (\i -> i * i) (iota size)
def worse = map (/ none) (iota 3)
entry good = i64.sum squares
entry bad = worse
EOF

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
	run raido "$backend" --library kept.fut
	silent
	run ${CC:-cc} -std=c11 -g -O1 -fsanitize=address,undefined -o kept kept_client.c kept.c -lm -lpthread -ldl
	silent
	run env ASAN_OPTIONS=protect_shadow_gap=0:$leaks ./kept
	is 'total 45
0 1 4 9 16 25 36 49 64 81
-1 1 4 9 16 25 36 49 64 81
0 1 4 9 16 25 36 49 64 81
0 1 4 9 16 25 36 49 64 81
285 22
failing: 2, 2
by size: 5, 5'
	exits 0
	if [ "$(printf '%s\n' "$err" | grep -c '^squares: ')" = 1 ]; then ok; else not_ok "once"; fi
done

about "cheap constants"
cat >cheap.fut <<'EOF'
def n = 10i64 * 10
def table = map (\i -> i * i) (iota 16)
def zeros = replicate n 0i64
def primes = [2i64, 3, 5, 7]
def pair = {a = n + 1, b = primes[2]}
entry main (i: i64) = table[i] + zeros[i] + pair.a + pair.b
EOF
run raido c --library cheap.fut
if grep -q 'define RD_CONSTANTS' cheap.c; then not_ok "stored"; else ok; fi

about "servers"
run raido c --server bad_or_good.fut
silent
in='call good r
call bad q
call good s
set_tuning_param size 20
call good t
store out t
'
run ./bad_or_good
says 'division by zero'
if [ "$(printf '%s\n' "$out" | grep -c 'runtime:')" = 3 ]; then ok; else not_ok "three calls"; fi
if [ "$(printf '%s\n' "$err" | grep -c '^squares: ')" = 2 ]; then ok; else not_ok "twice"; fi
raido dataset <out >shown
run cat shown
is '2470i64'

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

# The program relies on sizes of at most 2^57, of rows without elements too.
about "constants that are too large"
cat >rows.fut <<'EOF'
def n : i64 = opaque 1152921504606846976
def rows : [n][0]i64 = unflatten (replicate (n * 0) 1i64)
entry main (ys: []i64) : i64 = let k = length rows in if 8 * k < length ys then ys[k] else 7
EOF
run raido c rows.fut
silent
in='[1i64, 2, 3]' run ./rows
complains 'the array rows cannot have this size'
exits 1
finish
