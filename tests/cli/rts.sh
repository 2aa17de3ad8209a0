#!/bin/sh
# The run-time and the programs it becomes part of: every header compiles by itself, and so do generated
# libraries, as C11 and as C++17, with all compilers there are, without warnings.
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/tests/cli/lib.sh"

# Runs a compiler in each language on a file; unused functions are what the headers consist of.
compile() {
	for cc in gcc clang; do
		command -v $cc >/dev/null || continue
		run $cc -std=c11 -Wall -Wextra -Wno-unused-function -I"$here/rts/c" -fsyntax-only -x c "$1"
		exits 0
		silent
	done
	for cxx in g++ clang++; do
		command -v $cxx >/dev/null || continue
		run $cxx -std=c++17 -Wall -Wextra -Wno-unused-function -I"$here/rts/c" -fsyntax-only -x c++ "$1"
		exits 0
		silent
	done
}

about "headers"
for header in base half special vecmath scalar context memory show; do
	echo "#include \"$header.h\"" >"$header.c"
	compile "$header.c"
done

about "libraries"
cat >prog.fut <<'END'
entry dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = reduce (+) 0 (map2 (*) xs ys)
entry matmul [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a
entry at (xs: []i32) (i: i64) (d: i32) : i32 = xs[i] / d
entry halves (x: f16) (ys: []f16) : []f16 = map (\y -> y * x + f16.exp x) ys
entry filtered (xs: []i64) : []i64 = filter (> 0) xs
entry buffers (n: i64) (xs: *[4]i32) : ([4]i32, [4]i32) =
  loop (a, b) = (xs, replicate 4 0) for i < n do (b, a with [i % 4] = i32.i64 i)
END
run raido c --library prog.fut
exits 0
compile prog.c

about "size"
cat >small.fut <<'END'
def double (x: f64) : f64 = 2 * x
entry main [n] (xs: [n]f64) : f64 = f64.sum (map double xs)
END
run raido c --library small.fut
if [ "$(wc -l <small.c)" -lt 2100 ]; then ok; else not_ok "$(wc -l <small.c) lines"; fi

about "what is inlined"
cat >inlined.fut <<'END'
entry main (xs: []f64) (ys: []f32) : ([]f64, []f32) =
  (map (\x -> f64.exp x * f64.tanh x + f64.log x) xs, map (\y -> f32.exp y * f32.tanh y + f32.log y) ys)
END
run raido c --library inlined.fut
exits 0
for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	# Functions of vectors, however large the program; not entry points, into their interface.
	run $cc -std=c11 -O0 -c -o inlined.o inlined.c
	exits 0
	run nm inlined.o
	if printf '%s\n' "$out" | grep -E 'rd_(exp_parts|vexp|vtanh|vlog)_f'; then not_ok "calls"; else ok; fi
	run $cc -std=c11 -O2 -c -o inlined.o inlined.c
	exits 0
	run nm inlined.o
	says 'rd_fun_main'
done

finish
