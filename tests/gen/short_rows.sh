#!/bin/sh
# Loops in vectors whose length is no multiple of one: the last vector does some iterations again, or the rest runs one
# by one (src/gen/clanes.c, Note [Iterations twice]) or as some lanes of a vector (src/gen/cpart.c).  Compiled, they
# give what the interpreter gives.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

cp "$root/tests/gen/short_rows.fut" .
for bytes in 16 64; do
	about "vectors of $bytes bytes"
	CFLAGS="-O1 -std=c11 -Wall -Wextra -Wno-psabi -DRD_VECTOR=$bytes" run raido c -o bytes$bytes short_rows.fut
	exits 0
done
about 'the address sanitizer'
CFLAGS='-O1 -std=c11 -w -g -fsanitize=address,undefined -DRD_VECTOR=64' run raido c -o watched short_rows.fut
exits 0
about 'some lanes of vectors'
CFLAGS='-O1 -std=c11 -w -g -fsanitize=address,undefined -DRD_VECTOR=64 -DRD_MASKS=1' run raido c -o some64 short_rows.fut
exits 0
CFLAGS='-O1 -std=c11 -Wall -Wextra -DRD_VECTOR=16 -DRD_MASKS=1' run raido c -o some16 short_rows.fut
exits 0
programs='bytes16 bytes64 watched some16 some64'
# Instructions for that, where this processor has them.
for flags in -mavx2 '-mavx512f -mavx512dq'; do
	for flag in $flags; do
		grep -qw "${flag#-m}" /proc/cpuinfo || continue 2
	done
	program=$(echo "masks$flags" | tr -d ' ')
	about "$program"
	CFLAGS="-O2 -std=c11 -Wall -Wextra $flags" run raido c -o "$program" short_rows.fut
	exits 0
	programs="$programs $program"
done

# Looking for leaks takes a second at the end of a program: it is done for one length.  Every second length, after each
# commit the others (FULL=1: all).
tests=$root/tests
. "$tests/share.sh"
choose_share 2 >/dev/null || exit 1
lengths='1 3 4 5 15 16 17 31 33 70'
[ -n "$FULL" ] || lengths=$(echo "$lengths" | tr ' ' '\n' | awk -v k="$SHARE" 'NR % 2 == k % 2')
for n in $lengths; do
	xs=$(awk -v n=$n 'BEGIN { for (i = 0; i < n; i++) s = s (i ? ", " : "") ((i * 7 % 11 - 5) / 4) "f32"; print "[" s "]" }')
	[ $n = 17 ] && leaks=1 || leaks=0
	for entry in $(sed -n 's/^entry \([a-z_]*\).*/\1/p' short_rows.fut); do
		echo "$xs" >in
		case $entry in *_sums) echo '[0.5f32, -1f32, 0.25f32, 2f32]' >>in ;; esac
		raido run -e "$entry" short_rows.fut <in >interpreted 2>&1
		for program in $programs; do
			about "$entry of $n: $program"
			ASAN_OPTIONS=detect_leaks=$leaks ./$program -e "$entry" <in >compiled 2>&1
			run raido datacmp compiled interpreted
			exits 0
		done
	done
done

# The text of an entry point.
function_of() {
	awk -v head="^static.* rd_fun_$1[(]" '$0 ~ head { on = 1; text = "" }
		on { text = text $0 "\n" } /;$/ && text !~ /{/ { on = 0 } on && /^}/ { printf "%s", text; exit }' bytes64.c >function.c
}

# No iteration is done twice where it overwrites what it reads.
again() {
	about "$1: $2 loops end with a vector that starts again"
	function_of "$1"
	run grep -c '^[[:space:]]*for (; \([a-z_0-9]*\) < [a-z_0-9]* && [A-Z_a-z0-9 (,)]* <= [a-z_0-9]*; ' function.c
	says "^$2\$"
}
again products 1
again chosen 1
again integers 1
again functions 1
again in_place 0
again folded 1
again folded_twice 1
again folded_in_place 0
# Some lanes of a vector, where iterations take long: no others are left for other processors.
parts() {
	about "$1: $2 loops end with some lanes of a vector"
	function_of "$1"
	run grep -c 'if (RD_MASKS && ' function.c
	says "^$2\$"
}
parts products 1
parts functions 1
parts folded_in_place 1
parts evens 1
parts thirds 1
parts shared 1
parts doubles 1
parts known_tiles 0
parts nearest 2
parts shared_rows 2
parts choices 0
parts sums 0
parts sums_of_rows 1
# Lanes are added up after the loop around, not in it.
kept() {
	about "$1: $2 sums are kept by the loops around"
	function_of "$1"
	run grep -c '[[:space:]]rd_f32v sums[_0-9]* = rd_splat' function.c
	says "^$2\$"
}
kept kept_rows 2
kept kept_borders 1
kept used_rows 0
# Nor is a loop of few iterations written for vectors, or what is left of one that is known to be long enough.
again borders 1
run grep -c RD_FEW function.c
says '^2$'
again known 1
run grep -B1 'for (; [a-z_0-9]* < 21; ' function.c
says 'if .21 < RD_LANES.1, float.. .$'
again known_tiles 1
run grep -c "if (21 < RD_LANES(1, float)) {" function.c
says '^1$'
finish
