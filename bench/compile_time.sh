#!/bin/sh
# How long `raido c` itself takes, without the C compiler: `raido c --library` ends once it has
# written the C.  Every program of bench, then generated programs of growing size with the
# exponent of growth and the peak memory, and the program of the tests that takes most of it.
# Times are of the processor, the least of three averages: what else runs on the machine does not
# count.  `raido c -v` shows the share of each pass.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
raido=${RAIDO:-$here/../build/raido}
case $raido in /*) ;; *) raido=$PWD/$raido ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# average_ms RUNS FILE: the time of compiling FILE once, averaged over RUNS.  `times` counts what
# ended children of this very shell took.
average_ms() {
	times > before
	i=0
	while [ $i -lt "$1" ]; do "$raido" c -w --library -o out "$2"; i=$((i + 1)); done
	times > after
	awk -v n="$1" 'FNR == 2 { gsub(/[ms]/, " "); t = ($1 + $3) * 60000 + ($2 + $4) * 1000; d = t - d }
		END { printf "%.1f", d / n }' before after
}

# least_ms RUNS FILE: the least of three averages
least_ms() {
	for _ in 1 2 3; do average_ms "$1" "$2"; echo; done | sort -n | head -n 1
}

# peak_mib FILE: the most memory that compiling FILE takes
peak_mib() {
	"$raido" c -w --library -o out "$1" &
	pid=$! peak=0
	while kb=$(awk '/^VmHWM/ { print $2 }' /proc/$pid/status 2> /dev/null) && [ -n "$kb" ]; do
		peak=$kb
		sleep 0.01
	done
	wait $pid
	awk -v kb="$peak" 'BEGIN { printf "%.0f", kb / 1024 }'
}

printf '%-24s %10s %10s %10s\n' program ms 'limit ms' MiB
for f in "$here"/*/*.fut; do
	printf '%-24s %10s %10s %10s\n' "$(basename "$(dirname "$f")")/$(basename "$f" .fut)" \
		"$(least_ms 5 "$f")" 60 "$(peak_mib "$f")"
done
f=$here/../tests/ad/fd/hessians_soacs.fut
printf '%-24s %10s %10s %10s\n' "$(basename "$f" .fut)" "$(least_ms 1 "$f")" - "$(peak_mib "$f")"

# Entry points keep the generated definitions alive; derivatives are left out, as this back end
# does not compile them everywhere.
for n in 1000 3000 10000; do
	sh "$here/gen_program.sh" $n | sed 's/^def use_/entry use_/; /^def gradient_/,/^$/d' > p$n.fut
	ms=$(least_ms 5 p$n.fut)
	eval "t$n=$ms"
	printf '%-24s %10s %10s %10s\n' "$(wc -l < p$n.fut | tr -d ' ') lines" "$ms" - "$(peak_mib p$n.fut)"
done
awk -v a="$t1000" -v c="$t10000" 'BEGIN {
	printf "%-24s %10.3f\n", "exponent 1k to 10k", log(c / a) / log(10) }'
