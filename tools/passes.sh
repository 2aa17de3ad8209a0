#!/bin/sh
# Counts the programs in which each pass rewrites something, for each kind of back end, and prints
# the table of docs/passes.md:
#   usage: tools/passes.sh [FOLDER...]      RAIDO: the compiler;  JOBS: how many at a time
# A pass with few programs is a candidate for going: what it mends could be made right at once.
# `untuned`: of the programs that no pass is written for (bench/general/untuned), with any back end.
set -eu
cd "$(dirname "$0")/.."
RAIDO=$(realpath "${RAIDO:-build/raido}")
export RAIDO
[ $# -gt 0 ] || set -- tests/lang tests/ad tests/prelude bench
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
find "$@" -name '*.fut' | LC_ALL=C sort >"$out/programs"
sed -n 's|^[a-z].*|bench/general/programs/&.fut|p' bench/general/untuned >"$out/untuned"
# A line `PASS BACKEND PROGRAM` for each that fires.
for backend in c multicore opencl; do
	passes=$("$RAIDO" dev --pipeline=$backend | cut -d' ' -f1 | paste -sd, -)
	# shellcheck disable=SC2016
	xargs -P "${JOBS:-2}" -I PROGRAM sh -c '
		timeout 60 "$RAIDO" dev --check=off --structure --stats "$1" "$2" 2>&1 >/dev/null |
			awk -v at="$3 $1" "$4" | sort -u
	' sh PROGRAM "$passes" $backend '/ statements, / && $(NF-1) > 0 {print $1, at}' \
		<"$out/programs"
done >"$out/fired"

# count PASS BACKEND [LIST]: the programs, of a list.
count() {
	awk -v pass="$1" -v backend="$2" '
		FILENAME != "-" { listed[$1] = 1; next }
		$1 == pass && (backend == "any" || $2 == backend) && ($3 in listed) { seen[$3] = 1 }
		END { n = 0; for (p in seen) n++; print n }
	' "$3" - <"$out/fired"
}

echo "| pass | takes | gives | c | multicore | opencl | untuned | what it does |"
echo "|---|---|---|---|---|---|---|---|"
sed -n '/^PASS(/,/)$/p' src/opt/passes.def | tr '\n' ' ' | sed 's/PASS(/\n&/g' |
	sed -En 's/^PASS\(([^,]*), ([^,]*), ([^,]*), ([A-Z]*),[^"]*"(.*)"\) *$/\1;\2;\3;\4;\5/p' |
	sed 's/STAGE_//g; s/ | / or /g; $a\' |
	while IFS=';' read -r name takes gives how about; do
		row="| \`$name\` | $takes | $gives |"
		for backend in c multicore opencl; do
			n=all
			[ "$how" = REWRITES ] && n=$(count "$name" $backend "$out/programs")
			row="$row $n |"
		done
		n=all
		[ "$how" = REWRITES ] && n=$(count "$name" any "$out/untuned")
		echo "$row $n | $about |"
	done | tr -s ' '
