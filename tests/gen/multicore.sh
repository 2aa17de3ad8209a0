#!/bin/sh
# C with threads gives what sequential C gives, whatever the sizes and the number of threads;
# errors are those of the first place in the order of the program; nothing races.
#
# The least work that is worth a region is made small, so that small arrays have regions too.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

small='-DRD_LEAST_WORK=4'
cp "$root/tests/gen/multicore.fut" "$root/tests/gen/multicore_client.c" .
entries=$(sed -n 's/^entry \([a-z_]*\).*/\1/p' multicore.fut | grep -v fails)

about "compiling"
CFLAGS='-O1 -std=c11' run raido c -o sequential multicore.fut
silent
CFLAGS="-O1 -std=c11 -Wall -Wextra $small" run raido multicore multicore.fut
silent
exits 0

make_input() { # size
	raido dataset -s "$1" -g "$(($1 / 3))i64" --i64-bounds=0:$(($1 - 1)) -g "[$1]i64" \
		--f64-bounds=-1:1 -g "[$1]f64" >in
}

for n in 1 17 1000; do
	make_input $n
	for entry in $entries; do
		./sequential -b -e "$entry" <in >want 2>&1
		for t in 1 3 16; do
			about "$entry at $n with $t threads"
			./multicore -b -e "$entry" --num-threads $t <in >got 2>&1
			run raido datacmp got want
			exits 0
		done
	done
done

# Threads with little room for what they are to add do so while others do.
CFLAGS="-O1 $small -DRD_SEGMENTS=3 -DRD_SEGMENT=4" run raido multicore -o crowded multicore.fut
silent
for entry in histograms sums sums_of_loops gradient of_rows; do
	./sequential -b -e "$entry" <in >want 2>&1
	for t in 2 3 16; do
		about "$entry without room with $t threads"
		./crowded -b -e "$entry" --num-threads $t <in >got 2>&1
		run raido datacmp got want
		exits 0
	done
done

about "errors"
make_input 3000
for t in 1 2 3 16; do
	run sh -c "OMP_NUM_THREADS=$t ./multicore -e fails <in"
	exits 1
	complains 'Index \[4000\] out of bounds for array of shape \[3000\]'
	complains '#0  multicore.fut:[0-9]'
done

for t in 1 3 16; do
	run sh -c "./multicore -e irregular_fails --num-threads $t <in"
	exits 1
	complains 'Range 0..1..<-1000 is invalid'
done

cat >endless.fut <<'END'
def depth (n: i64) : i64 = if n == 0 then 0 else 1 + depth (n - 1)
entry main (n: i64) = i64.sum (map (\i -> depth (i - 100)) (iota n))
END
CFLAGS="-O0 $small" run raido multicore endless.fut
silent
for k in 1 2 3 4 5; do
	run sh -c "echo 100i64 | ./endless --num-threads 16"
	exits 1
	complains '^./endless: Error: Stack overflow: recursion of "depth" too deep.$'
done

for entry in $entries; do
	about "--deterministic: $entry"
	./multicore -b -e "$entry" --deterministic --num-threads 1 <in >want 2>&1
	for t in 2 3 16; do
		./multicore -b -e "$entry" --deterministic --num-threads $t <in >got 2>&1
		run cmp got want
		exits 0
	done
done

about "options"
run ./multicore --num-threads 0
exits 1
complains 'positive integer'
run ./multicore --help
says 'num-threads INT'

# How many threads a run has: its profile says what each did.
threads_of() {
	"$@" -P -e sum <in 2>&1 >/dev/null | grep -o '"threads": \[[^]]*' | head -n 1 | tr , '\n' | wc -l | tr -d ' '
}

about "how many threads"
run threads_of ./multicore --num-threads 5
is 5
run threads_of env OMP_NUM_THREADS=3 ./multicore
is 3
run threads_of env OMP_NUM_THREADS=3 ./multicore --num-threads 4
is 4
run threads_of env OMP_NUM_THREADS=none ./multicore --num-threads 2
is 2
run threads_of ./multicore --num-threads 1
is 0
if taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" true >.out 2>&1; then
	run threads_of taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" ./multicore
	is 0
fi

about "quotas of control groups"
mkdir -p group/cpu
CFLAGS="-O1 $small -DRD_CGROUP=\"$PWD/group\"" run raido multicore -o limited multicore.fut
silent
unlimited=$(threads_of ./limited)
echo '150000 100000' >group/cpu.max
two=$((unlimited > 2 ? 2 : unlimited))
run threads_of ./limited
is $two
echo '50000 100000' >group/cpu.max
run threads_of ./limited
is 0
echo 'max 100000' >group/cpu.max
run threads_of ./limited
is "$unlimited"
rm group/cpu.max
echo 100000 >group/cpu/cpu.cfs_quota_us
echo 100000 >group/cpu/cpu.cfs_period_us
run threads_of ./limited
is 0
echo -1 >group/cpu/cpu.cfs_quota_us
run threads_of ./limited
is "$unlimited"
run threads_of ./limited --num-threads 3
is 3

about "test"
cat >blocks.fut <<'END'
-- ==
-- entry: main
-- input { [1i64, 2i64, 3i64] } output { 14i64 }
def main (xs: []i64) = i64.sum (map (\x -> x * x) xs)
END
CFLAGS="-O1 $small" run raido test --no-terminal --backend=multicore --pass-option=--num-threads=3 \
	blocks.fut
exits 0
says '^1 passed, 0 failed'
sed 's/14i64/15i64/' blocks.fut >wrong.fut
CFLAGS="-O1 $small" run raido test --no-terminal --backend=multicore --with=--num-threads=1 \
	--with=--num-threads=3 wrong.fut
exits 1
says '^Running ./wrong --num-threads=1:'
says '^Running ./wrong --num-threads=3:'
says '^0 passed, 1 failed'

about "code of regions"
cat >code.fut <<'END'
entry cols [n][m] (a: [n][m]f64) : [m]f64 = map f64.sum (transpose a)
entry chain [n] (xs: [n]f64) (ys: [n]f64) = tabulate n (\i -> if i == 0 then xs[i] else xs[i] * ys[i - 1])
END
run raido multicore --library code.fut
silent
run grep -E 'int64_t [a-z_0-9]+\[[0-9]{2,}\];' code.c
silent
run grep -cE 'rd_max_i64\(1 - lo, 0\)' code.c
is 1
run grep -cE 'int64_t [a-z_0-9]+ = rd_add_i64\(lo, i' code.c
is 0

# What has few rows is cut elsewhere.
echo 'entry main [n] (a: [2][n]f64) : [2][n]f64 = copy a with [0, 0] = 1' >few.fut
run raido multicore --library few.fut
silent
run grep -c 'rd_chunks(ctx, 2,' few.c
is 0

about "small numbers of regions"
cat >small.fut <<'END'
entry main [n] (a: *[n][n]f64) =
  loop a for k < n do
    let u = copy a[k, k + 1:]
    in a with [k + 1:, k + 1:] = map (\row -> map2 (\x y -> x - row[0] * y) row u) a[k + 1:, k + 1:]
END
echo 'entry main (n: i64) (k: i64) : [n]i64 = tabulate n (+ k)' >large.fut
run raido multicore --library small.fut
silent
run grep -cE 'int64_t [a-z_0-9]+ = rd_add_i64\((i[_0-9]*, add|add[_0-9]*, (i|lo))' small.c
is 0
run raido multicore --library large.fut
silent
run grep -cE 'rd_add_i64\((k|[a-z_0-9]+, k)' large.c
is 2

about "columns"
echo 'entry main [n][m] (a: [n][m]f64) : [m]f64 = map f64.sum (transpose a)' >columns.fut
run raido multicore --library columns.fut
silent
run grep -cE 'rd_chunks\(ctx, [a-z_0-9]+, [a-z_0-9]+, -2048\)' columns.c
is 1

about "the library"
run raido multicore --library multicore.fut
silent
run grep -c FUTHARK_BACKEND_multicore multicore.h
is 1
for flags in "" "-fsanitize=thread" "-fsanitize=address,undefined"; do
	about "the library $flags"
	echo 'int main(void) { return 0; }' >can.c
	if ! { ${CC:-cc} $flags -o can can.c && ./can; } >.out 2>&1; then
		continue
	fi
	run ${CC:-cc} -g $flags -Wall -Wextra $small -pthread -o client multicore_client.c \
		multicore.c -lm
	silent
	run ./client
	exits 0
	says ', 0 failed$'
done

about "races"
echo 'int main(void) { return 0; }' >can.c
if { ${CC:-cc} -fsanitize=thread -o can can.c && ./can; } >.out 2>&1; then
	CFLAGS="-g -fsanitize=thread $small -DRD_SEGMENTS=30 -DRD_SEGMENT=16" run raido multicore \
		-o racing multicore.fut
	silent
	make_input 20000
	sed -i 's/^[0-9]*i64/7i64/' in
	for entry in $entries; do
		[ "$entry" = uneven ] && continue
		about "races in $entry"
		run sh -c "./racing -b -n -e $entry --num-threads 3 <in"
		exits 0
		silent
	done
fi
finish
