#!/bin/sh
# What generated code has once: functions that several places run, and the end of a function that has many blocks.
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/tests/cli/lib.sh"

# counts NUMBER PATTERN: so many lines of the generated code have it.
counts() {
	n=$(grep -cE "$2" prog.c)
	if [ "$n" -eq "$1" ]; then ok; else not_ok "$n lines with $2, not $1"; fi
}

about "what threads run for two entry points is one function"
cat >prog.fut <<'END'
entry one [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.sin x + 1) xs
entry two [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.sin x + 1) xs
END
run raido multicore --library prog.fut
exits 0
counts 0 'rd_fun_two_2eregion1\('
counts 2 '	return rd_fun_one_2eregion1\(ctx, c, '

about "whatever their variables are called, also on devices; where a program fails is told by places of its own"
cat >prog.fut <<'END'
entry one [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.sin x + 1) xs
entry two [m] (ys: [m]f64) : [m]f64 = map (\y -> f64.sin y + 1) ys
entry three [n] (xs: [n]f64) (is: [n]i64) : [n]f64 = map (\i -> xs[i]) is
entry four [n] (xs: [n]f64) (js: [n]i64) : [n]f64 = map (\j -> xs[j]) js
END
run raido multicore --library prog.fut
exits 0
counts 0 'rd_fun_two_2eregion1\('
counts 2 '	return rd_fun_one_2eregion1\(ctx, c, '
counts 1 '	return rd_fun_four_2eregion1\(ctx, c, '
run raido cuda --library prog.fut
exits 0
counts 1 'RD_KERNEL void (one|two)_2ekernel'
counts 2 'RD_KERNEL void (three|four)_2ekernel'
counts 1 '"two_2ekernel1", "one_2ekernel1", "prog.fut:2:'

about "many blocks are released by one call"
{
	echo 'entry main (n: i64) : i64 ='
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo "  let x$i = opaque (iota (n + $i))"
	done
	echo '  in x1[0] + x2[0] + x3[0] + x4[0] + x5[0] + x6[0] + x7[0] + x8[0] + x9[0] + x10[0]'
} >prog.fut
run raido c --library prog.fut
exits 0
counts 1 '[^ ]rd_release_all\(ctx, blocks, 10\)'

finish
