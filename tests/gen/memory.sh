#!/bin/sh
# Memory that cannot be had: each allocation of libraries, executables and servers fails in turn (fail_alloc.h).
# All give an error or go on; nothing crashes or leaks, and a context works afterwards (fail_alloc.c).
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
cp "$root/tests/gen/fail_alloc.fut" "$root/tests/gen/fail_alloc.h" "$root/tests/gen/fail_alloc.c" .
sanitized='-std=gnu11 -g -O0 -fsanitize=address,undefined -fno-sanitize-recover=undefined'
small='-DTHREADS=3 -DRD_LEAST_WORK=4 -DRD_SEGMENTS=3 -DRD_SEGMENT=4'

for backend in c multicore; do
	about "raido $backend --library"
	run raido $backend -w --derive scaled:split --library -o fail_alloc_lib fail_alloc.fut
	silent
	[ $backend = c ] && flags= || flags=$small
	run ${CC:-cc} $sanitized $flags -c -include fail_alloc.h -o library.o fail_alloc_lib.c
	[ "$code" -eq 0 ] || { echo "skipped: no sanitizers"; finish; exit; }
	run ${CC:-cc} $sanitized $flags -o client fail_alloc.c library.o -lm -lpthread
	silent
	run ./client 5
	exits 0
	case $out in *", 0 failed") ok ;; *) not_ok "checks failed" ;; esac
done

# Runs with allocation N failing, alone or with all after it, until none is left.
each() {
	n=1
	while [ $n -lt 400 ]; do
		for more in '' +; do
			run env FAIL_ALLOC=$n$more FAIL_REPORT=$work/reached "$@"
			case $code in 0 | 1) ok ;; *) not_ok "allocation $n$more" ;; esac
		done
		[ -e "$work/reached" ] || break
		rm -f "$work/reached"
		n=$((n + ${step:-1}))
	done
	if [ $n -gt 3 ] && [ $n -lt 400 ]; then ok; else not_ok "$n allocations"; fi
}

# The whole point of an executable is to end with its memory, which is nobody's leak.
ASAN_OPTIONS=detect_leaks=0
CFLAGS="$sanitized -include fail_alloc.h -DFAIL_BY_ENV"
export ASAN_OPTIONS CFLAGS
about "executables"
run raido c -w -o executable fail_alloc.fut
silent
echo '3i64 [1f64, 2f64]' >in
each sh -c './executable -e recursive -r 1 <in'
echo '[1f64, 2f64] 2i64' >in
each sh -c './executable -e fails <in'

about "servers"
run raido c -w --server -o server fail_alloc.fut
silent
printf '3i64 [1f64, 2f64]' >values
cat >in <<'S'
types
restore values n i64 xs []f64
call recursive ys n xs
call recursive "a variable with a rather long name, so that its line is long too" n xs
store out ys
call points ps n
index p ps 1
project y p ys
call path s n
variant s
destruct s a b
shape ys
rename ys zs
free xs n p
report
S
step=2 each sh -c './server <in'
finish
