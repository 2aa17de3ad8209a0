#!/bin/sh
# How long `raido` itself takes, without the C compiler: with `--library` it ends once it has written
# the C.  Every program of bench for each back end, then generated programs of growing size with the
# exponent of growth and the peak memory, and the program of the tests that takes most of it.
# Times are of the processor, the least of three averages: what else runs on the machine does not
# count, but for what it takes of the caches.
#   bench/compile_time.sh [PROGRAM...]
# With names of programs (transformer_block), only these: for each back end also the passes that take
# most of its time.  CC_TIME=1 adds the seconds of the C compiler, called as bench/general/run does, and
# the kilobytes of code.  BACKENDS: which (default: c multicore cuda opencl);  RUNS: of an average (5).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
raido=${RAIDO:-$here/../build/raido}
case $raido in /*) ;; *) raido=$PWD/$raido ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
backends=${BACKENDS:-c multicore cuda opencl}
runs=${RUNS:-5}

# processor_ms RUNS COMMAND...: the time of a command, averaged over RUNS.  `times` counts what ended
# children of this very shell took.
processor_ms() {
	n=$1
	shift
	times > before
	i=0
	while [ $i -lt "$n" ]; do "$@"; i=$((i + 1)); done
	times > after
	awk -v n="$n" 'FNR == 2 { gsub(/[ms]/, " "); t = ($1 + $3) * 60000 + ($2 + $4) * 1000; d = t - d }
		END { printf "%.1f\n", d / n }' before after
}

# least_ms RUNS FILE [BACKEND]: the least of three averages
least_ms() {
	for _ in 1 2 3; do
		processor_ms "$1" "$raido" "${3:-c}" -w --library -o out "$2"
	done | sort -n | head -n 1
}

# cc_s FILE: seconds of the C compiler on what was compiled last, and kilobytes of code
cc_s() {
	ms=$(processor_ms 1 "${CC:-cc}" -O3 -march=native -std=gnu11 -fno-math-errno -fno-trapping-math \
		-shared -fPIC -o out.so out.c -lm -lpthread -ldl)
	size out.so | awk -v ms="$ms" 'NR == 2 { printf "%.1f %.0f\n", ms / 1000, $1 / 1000 }'
}

# passes FILE BACKEND: those that take most of the time, and how often they run
passes() {
	"$raido" "$2" -v -w --library -o out "$1" 2>&1 | awk '$3 == "ms" { t[$1] += $2; n[$1]++; all += $2 }
		END { for (p in t) printf "    %-16s %8.2f ms %5.1f %% %4d times\n", p, t[p], 100 * t[p] / all, n[p] }' |
		sort -k2 -nr | head -n 8
}

# peak_mib FILE [BACKEND]: the most memory that compiling FILE takes
peak_mib() {
	"$raido" "${2:-c}" -w --library -o out "$1" &
	pid=$! peak=0
	while kb=$(awk '/^VmHWM/ { print $2 }' /proc/$pid/status 2> /dev/null) && [ -n "$kb" ]; do
		peak=$kb
		sleep 0.01
	done
	wait $pid
	awk -v kb="$peak" 'BEGIN { printf "%.0f", kb / 1024 }'
}

programs() {
	for f in "$here"/*/*.fut "$here"/general/programs/*.fut; do
		case " $* " in "  " | *" $(basename "$f" .fut) "*) echo "$f" ;; esac
	done
}

printf '%-32s %10s %10s %8s %8s %8s %8s\n' program backend ms 'limit ms' MiB 'cc s' 'code KB'
for f in $(programs "$@"); do
	name=${f#"$here"/}
	name=$(echo "${name%.fut}" | sed 's|/programs/|/|')
	for backend in $backends; do
		ms=$(least_ms "$runs" "$f" "$backend")
		mib=$(peak_mib "$f" "$backend")
		cc='- -'
		case ${CC_TIME:-}$backend in 1c | 1multicore) cc=$(cc_s) ;; esac
		printf '%-32s %10s %10s %8s %8s %8s %8s\n' "$name" "$backend" "$ms" 60 "$mib" $cc
		[ $# -eq 0 ] || passes "$f" "$backend"
	done
done
[ $# -eq 0 ] || exit 0

printf '\n%-24s %10s %10s %10s\n' program ms 'limit ms' MiB
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
