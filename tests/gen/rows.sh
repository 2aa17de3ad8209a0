#!/bin/sh
# Loops that go through rows again and again, in strips (src/loop/strip_rows.c): compiled, they give what the
# interpreter gives, for sizes around those at which code changes, with one thread and with several.  Numbers
# are small integers, so that sums are exact, many are equal, and some are none.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

cp "$root/tests/gen/rows.fut" .
for backend in c multicore; do
	about "$backend"
	CFLAGS='-O2 -std=c11 -Wall -Wextra -DRD_LEAST_WORK=2' run raido $backend -o $backend rows.fut
	silent
	exits 0
done
about 'vectors of 64 bytes'
CFLAGS='-O1 -std=c11 -w -DRD_VECTOR=64' run raido c -o wide rows.fut
exits 0

# Rows of a type: n of them with d numbers each, of which a few are none or infinite.
rows() {
	[ "$2" -gt 0 ] && [ "$1" -gt 0 ] || { echo "empty([$1][$2]$3)"; return; }
	awk -v n="$1" -v d="$2" -v t="$3" -v seed="$4" 'BEGIN {
		for (i = 0; i < n; i++) {
			row = ""
			for (l = 0; l < d; l++) {
				x = ((i * 7 + l * 13 + i * l * 3 + seed) % 5 - 2) t
				if (i % 97 == seed && l == 0) x = t ".nan"
				if (i % 89 == seed + 1 && l == 0) x = t ".inf"
				row = row (l ? ", " : "[") x
			}
			all = all (i ? ", " : "[") row "]"
		}
		print all "]"
	}'
}

for size in '300 0 4' '255 5 4' '256 4 3' '257 7 1' '300 33 8' '300 7 27' '300 7 28' '300 3 4' '300 5 0' '300 33 128' \
	'300 33 129' '384 8 2'; do
	set -- $size
	weights=$(awk -v k="$2" 'BEGIN { for (i = 0; i < k; i++) s = s (i ? ", " : "") (i % 3 - 1) "f64"; print "[" s "]" }')
	[ "$2" -gt 0 ] || weights='empty([0]f64)'
	{ rows "$1" "$3" f32 1; rows "$2" "$3" f32 2; rows "$1" "$3" f64 1; rows "$2" "$3" f64 2; echo "$weights"; } >in
	for entry in $(sed -n 's/^entry \([a-z_]*\).*/\1/p' rows.fut); do
		case $entry-$size in # nothing to compare
		step-*' 0 '* | gradient-*' 0 '* | of_maximum-*' 0 '* | step-*' 0' | gradient-*' 0' | of_maximum-*' 0') continue ;;
		esac
		raido run -e "$entry" rows.fut <in >interpreted 2>&1
		for program in c wide multicore; do
			about "$entry at $size: $program"
			OMP_NUM_THREADS=3 ./$program -e "$entry" <in >compiled 2>&1
			run raido datacmp compiled interpreted
			exits 0
		done
	done
done

# They are in lanes, with places as wide as the values, and nothing else kept.
in_lanes() {
	about "$1 in lanes"
	sed -n "/^static.* rd_fun_$1(/,/^}/p" c.c >function.c
	run grep -c "$2" function.c
	exits 0
}
for entry in first step of_maximum; do in_lanes $entry 'rd_istore_f32('; done
for entry in last gradient; do in_lanes $entry 'rd_istore_f64('; done
for entry in minima signs two; do in_lanes $entry '\* 64 + i[_0-9]*\])'; done
finish
