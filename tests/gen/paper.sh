#!/bin/sh
# The benchmarks of the paper and of GradBench give what derivatives by hand give (one small row each),
# and ADBench's files are read.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
CFLAGS='-O0 -w'
export CFLAGS

about "results"
for backend in c multicore; do
	run env OMP_NUM_THREADS=4 "$root/bench/run" --check --quick --backends $backend --peers ''
	exits 0
	[ "$(printf '%s\n' "$out" | grep -c ': right$')" = 16 ] && ok || not_ok "not all are right"
done

about "files"
# d k n, alpha, mu, factors, points, gamma m
cat >gmm.txt <<'F'
2 2 3
0.5
-0.25
0.1 0.2
0.3 -0.4
0.1 -0.2 0.7
-0.3 0.2 0.4
1 2
0.5 0.25
-1 0
1 0
F
# layers length bits, main parameters, extra ones, state, sequence
{
	echo '1 3 14'
	awk 'BEGIN { for (i = 0; i < 2; i++) { for (j = 0; j < 56; j++) printf "%g ", (i + j) % 7 / 7 - 0.4; print "" }
	             for (i = 0; i < 5; i++) { for (j = 0; j < 14; j++) printf "%g ", (i * j) % 5 / 5 - 0.3; print "" }
	             for (i = 0; i < 3; i++) { for (j = 0; j < 14; j++) printf "%d ", (i + j) % 2; print "" } }'
} >lstm.txt
head -n 4 gmm.txt >short.txt
for name in gmm lstm ba ht; do
	raido c -w --library -o $name "$root/bench/paper/$name.fut" >/dev/null 2>&1
	run ${CC:-cc} $CFLAGS -std=gnu11 -I. -I"$root/bench/ad" -I"$root/bench/paper" -I"$root/bench/cpu" \
		-o $name.bench "$root/bench/paper/$name.c" $name.c -lm
	exits 0
done
BENCH_ONCE=1
export BENCH_ONCE
run ./gmm.bench gmm.txt
exits 0
says '^gmm gmm.txt'
run ./lstm.bench lstm.txt
exits 0
says '^lstm lstm.txt'
run ./ba.bench "$root/bench/paper/problems/ba/ba1_n49_m7776_p31843.txt"
exits 0
says '^ba ba1_n49'
run ./ht.bench "$root/bench/paper/problems/ht/complicated_hand1.txt" "$root/bench/paper/problems/ht/simple_hand1.txt"
exits 0
says '^ht complicated_hand1.txt'
says '^ht simple_hand1.txt'
run ./gmm.bench short.txt
exits 1
says 'short.txt: too short'
run ./lstm.bench gmm.txt
exits 1
run ./ba.bench missing.txt
exits 1
says 'missing.txt: cannot be read'
finish
