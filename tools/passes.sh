#!/bin/sh
# Counts the programs in which each pass rewrites something, for each kind of back end, and prints
# the table of docs/passes.md:
#   usage: tools/passes.sh [FOLDER...]      RAIDO: the compiler
# A pass with few programs is a candidate for going: what it mends could be made right at once.
set -eu
cd "$(dirname "$0")/.."
raido=$(realpath "${RAIDO:-build/raido}")
[ $# -gt 0 ] || set -- tests/lang tests/ad tests/prelude bench
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
find "$@" -name '*.fut' | LC_ALL=C sort >"$out/programs"
for backend in c multicore opencl; do
	passes=$("$raido" dev --pipeline=$backend | cut -d' ' -f1 | paste -sd, -)
	while read -r program; do
		timeout 60 "$raido" dev --check=off --structure --stats "$program" "$passes" \
			2>"$out/stats" >/dev/null || continue
		awk '/ statements, / && $(NF-1) > 0 {print $1}' "$out/stats" | sort -u
	done <"$out/programs" | sort | uniq -c | awk '{print $2, $1}' >"$out/$backend"
done
echo "| pass | takes | gives | c | multicore | opencl | what it does |"
echo "|---|---|---|---|---|---|---|"
sed -n '/^PASS(/,/)$/p' src/opt/passes.def | tr '\n' ' ' | sed 's/PASS(/\n&/g' |
	sed -En 's/^PASS\(([^,]*), ([^,]*), ([^,]*), ([A-Z]*),[^"]*"(.*)"\) *$/\1;\2;\3;\4;\5/p' |
	sed 's/STAGE_//g; s/ | / or /g; $a\' |
	while IFS=';' read -r name takes gives how about; do
		row="| \`$name\` | $takes | $gives |"
		for backend in c multicore opencl; do
			n=$(sed -n "s/^$name //p" "$out/$backend")
			[ "$how" = REWRITES ] || n=all
			row="$row ${n:-0} |"
		done
		echo "$row $about |"
	done | tr -s ' '
