#!/bin/sh
# C compilers have nothing to say about generated code: as C11 and as C++17, by each of gcc and clang
# that there is, with -Wall -Wextra; for one thread and for several.  Some programs here;
# PROGRAMS='FILE...' tries others (tests/nightly: all).
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

flags='-fsyntax-only -Wall -Wextra'
compilers=
for cc in gcc clang; do
	command -v $cc >/dev/null 2>&1 && compilers="$compilers $cc"
done

programs=${PROGRAMS:-$(echo "$root"/tests/gen/*.fut "$root"/bench/cpu/matmul.fut \
	"$root"/bench/cpu/blackscholes.fut "$root"/bench/cpu/radixsort.fut "$root"/bench/paper/lstm.fut \
	"$root"/tests/structure/memory/scatter.fut "$root"/tests/structure/memory/overwrite_rows.fut \
	"$root"/tests/ad/fd/filter.fut)}

for program in $programs; do
	for backend in c multicore; do
		about "$backend ${program#"$root"/}"
		run raido $backend -w --library -o p "$program"
		exits 0
		[ "$code" -eq 0 ] || continue
		for cc in $compilers; do
			# shellcheck disable=SC2086
			run $cc -std=c11 $flags p.c
			silent
			# shellcheck disable=SC2086
			run $cc -x c++ -std=c++17 $flags p.c
			silent
		done
	done
done

# When they optimise, they find more to ask.
about "optimised"
run raido c -w --library -o p "$root/tests/gen/marks.fut"
exits 0
for cc in $compilers; do
	run $cc -std=c11 -O2 -Wall -Wextra -c -o p.o p.c
	silent
done
finish
