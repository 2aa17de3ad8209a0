#!/bin/sh
# How long `raido check` takes: a small program with the prelude, generated programs of 1,000 to
# 100,000 lines, and the growth exponent between the smallest and the largest.
# Times are of the processor, so that others at work do not count; the least of three averages.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
raido=${RAIDO:-$here/../build/raido}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# average_ms RUNS FILE: the processor time of one run of `raido check FILE`, averaged over RUNS
average_ms() {
	(
		i=0
		while [ $i -lt "$1" ]; do "$raido" check -w "$2"; i=$((i + 1)); done
		times
	) | awk -v n="$1" 'END {
		split($1, user, /[ms]/)
		split($2, system_, /[ms]/)
		printf "%.2f", ((user[1] + system_[1]) * 60 + user[2] + system_[2]) * 1000 / n
	}'
}

# least_ms RUNS FILE: the least of three averages
least_ms() {
	for _ in 1 2 3; do average_ms "$1" "$2"; echo; done | sort -n | head -n 1
}

echo 'def main (x: i32) = x + 1' > "$work/small.fut"
printf '%-28s %10s %10s\n' program 'ms' 'limit'
printf '%-28s %10s %10s\n' 'small, with prelude' "$(least_ms 50 "$work/small.fut")" 15

for n in 1000 10000 100000; do
	sh "$here/gen_program.sh" $n > "$work/p$n.fut"
	ms=$(least_ms $((100000 / n)) "$work/p$n.fut")
	eval "t$n=$ms"
	limit=-
	[ $n = 10000 ] && limit=400
	printf '%-28s %10s %10s\n' "$(wc -l < "$work/p$n.fut" | tr -d ' ') lines" "$ms" "$limit"
done
base=$(least_ms 50 "$work/small.fut")
awk -v a="$t1000" -v b="$t10000" -v c="$t100000" -v z="$base" 'BEGIN {
	printf "%-28s %10.3f %10s\n", "exponent 1k to 100k", log(c / a) / log(100), 1.15
	printf "%-28s %10.3f %10s\n", "  without start-up", log((c - z) / (a - z)) / log(100), 1.15
	printf "%-28s %10.3f %10s\n", "exponent 10k to 100k", log(c / b) / log(10), 1.15
}'
