#!/bin/sh
# Prints a checksum of the C that each program becomes, for each back end: a line
#   SUM BACKEND PROGRAM
# What a change to passes does to generated code is the difference of two such lists:
#   tools/codesums.sh > before;  .. change, make ..;  tools/codesums.sh | diff before -
#   usage: tools/codesums.sh [FOLDER...]      RAIDO: the compiler;  BACKENDS: which, in quotes
set -eu
cd "$(dirname "$0")/.."
raido=$(realpath "${RAIDO:-build/raido}")
backends=${BACKENDS:-c multicore cuda opencl}
[ $# -gt 0 ] || set -- tests/lang tests/ad tests/prelude bench
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
find "$@" -name '*.fut' | LC_ALL=C sort >"$out/programs"
for backend in $backends; do
	while read -r program; do
		rm -f "$out/a.c"
		if timeout 60 "$raido" "$backend" -w --library -o "$out/a" "$program" \
			>/dev/null 2>&1; then
			sum=$(md5sum <"$out/a.c" | cut -d' ' -f1)
		else
			sum=rejected
		fi
		echo "$sum $backend $program"
	done <"$out/programs"
done
