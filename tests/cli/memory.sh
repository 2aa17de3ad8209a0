#!/bin/sh
# Memory that the compiler cannot have: each allocation fails in turn (fail_alloc.c, by LD_PRELOAD), with all
# after it or alone.  That is an error or goes unnoticed, never a crash or a bug to be reported.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

if ! ${CC:-cc} -shared -fPIC -o fail.so "$root/tests/cli/fail_alloc.c" -ldl 2>/dev/null ||
	ldd "$RAIDO" 2>/dev/null | grep -q asan; then
	echo "skipped: no allocation can be made to fail"
	ok
	finish
	exit
fi
cat >prog.fut <<'F'
entry main (n: i64) =
  let xs = scan (+) 0 (map f64.i64 (iota n))
  in vjp (\ys -> f64.sum (map f64.sin ys)) xs 1.0
F

# Tries one allocation in three.
each() {
	FAIL_COUNT=$work/count LD_PRELOAD=$work/fail.so "$RAIDO" "$@" <values >/dev/null 2>&1
	n=1
	while [ $n -le "$(cat count)" ]; do
		for once in '' 1; do
			run sh -c 'FAIL_ALLOC=$1; export FAIL_ALLOC
				[ "$2" ] && { FAIL_ONCE=1; export FAIL_ONCE; }
				shift 2; LD_PRELOAD=./fail.so; export LD_PRELOAD
				exec "$RAIDO" "$@" <values' sh $n "$once" "$@"
			case $code in 0 | 1 | 2) ok ;; *) not_ok "allocation $n" ;; esac
			case $err in *"bug in Raido"*) not_ok "allocation $n" ;; esac
		done
		n=$((n + 3))
	done
}

echo 10i64 >values
for command in check fmt run "c --library -o out" "cuda --library -o out"; do
	about "raido $command"
	each $command prog.fut
done
about "raido eval"
each eval '1 + 2'
about "raido dataset"
each dataset -g '[1000]f64'

# A session says all that it says otherwise, or that there is no memory.
about "raido repl"
cat >values <<'F'
let xs = map f64.i64 (iota 5)
def f (x: f64) = x * f64.sin x
vjp f 2.0 1.0
xs[7]
1 + true
:t xs
:load prog.fut
f64.sum (main 2000)
F
FAIL_COUNT=$work/count LD_PRELOAD=$work/fail.so "$RAIDO" repl <values >whole 2>&1
n=1
while [ $n -le "$(cat count)" ]; do
	FAIL_ALLOC=$n LD_PRELOAD=$work/fail.so "$RAIDO" repl <values >said 2>&1
	code=$?
	if [ $code -gt 1 ] || { ! cmp -s said whole && ! grep -q '[Mm]emory' said; }; then
		not_ok "allocation $n: exit code $code"
	else
		ok
	fi
	n=$((n + 3))
done
finish
