#!/bin/sh
# Tools that run compiled programs: test, bench, benchcmp, script.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
CFLAGS='-O1 -std=c11'
export CFLAGS

cat >good.fut <<'F'
-- ==
-- entry: main
-- input { 3i64 } output { [0i64, 2i64, 4i64] }
-- "negative" input { -1i64 } error: is invalid
-- compiled random input { i64 } error: .
-- no_c input { 1i64 } output { 7i64 }
-- script input { 2 } output { [0i64, 2i64] }
entry main (n: i64) = map (* 2) (iota n)

-- ==
-- entry: both
-- input { 1i32 [1f32, 2f32] } output { [1f32, 2f32] 1i32 }
-- script input { (1, twice [1f32]) }
entry both (x: i32) (ys: []f32) = (ys, x)
entry twice (ys: []f32) = ys ++ ys

-- ==
-- entry: area
-- script input { (square 3f32) } output { 9f32 }
type shape = #square f32 | #dot
entry square (x: f32) : shape = #square x
entry area (s: shape) : f32 = match s case #square x -> x * x case #dot -> 0

-- ==
-- property: holds
#[prop] entry holds (xs: []i32) : bool = all (== true) (map2 (==) (reverse (reverse xs)) xs)
F
cat >bad.fut <<'F'
-- ==
-- input { 1i32 2i32 } output { 4i32 }
-- input { 1i32 2i32 } error: .
-- input { 1i32 0i32 } output { 1i64 }
-- input { 1i32 }
entry main (x: i32) (y: i32) = assert (x == 1 && y > 0) (x + y)
F
cat >gradient.fut <<'F'
-- ==
-- input { 3f64 } output { 6f64 }
entry main (x: f64) = vjp (\y -> y * y) x 1
F

about "the steps of a compilation"
run raido c -v gradient.fut
complains '^simplify '
complains '^cc '
exits 0
for option in -vsteps --verbose=steps; do
	rm -f steps
	run raido c "$option" gradient.fut
	silent
	exits 0
	if grep -q '^simplify ' steps && grep -q gradient.c steps; then ok; else not_ok "no steps in the file: $option"; fi
done
run raido c -vnowhere/steps gradient.fut
complains 'cannot write nowhere/steps'
exits 2
rm -f gradient gradient.c
run raido c -o -odd gradient.fut
silent
exits 0
if [ -x ./-odd ]; then ok; else not_ok "no program -odd"; fi
rm -f ./-odd ./-odd.c

about "test"
run raido test --no-terminal good.fut gradient.fut
says '^2/2 passed\.$'
exits 0
run raido test --no-terminal --backend=c bad.fut
exits 1
says '^0/1 passed\.$'
says '^bad.fut:$'
says '^Compiling with --backend=c:$'
says '^Running compiled program:$'
says '^Running ./bad:$'
says '^Entry point: main; dataset: #0 \("1i32 2i32"\):$'
says '^bad.fut.main.0.actual and bad.fut.main.0.expected do not match:$'
says '^Value #0: expected 4, got 3$'
says '^Program succeeded, but expected failure:$'
says '^  ThisError "\."$'
says '^Function failed with error:$'
says '^Error: Assertion is false: '
says '^-> #0  bad.fut:6:'
says '^Expected input of types: i32 i32$'
says '^Provided input of types: i32$'
run raido test --no-terminal -C bad.fut
says '^1/1 passed\.$'
run env CC=false "$RAIDO" test --no-terminal good.fut
says '^The C compiler failed:$'
exits 1
run raido test --no-terminal --backend=nope good.fut
complains 'back end "nope" is not in this build'
exits 2

about "bench"
cat >bench.fut <<'F'
-- ==
-- entry: main
-- input { 10i64 } output { 45i64 }
-- "wrong" input { 10i64 } output { 46i64 }
-- "big" nobench input { 100i64 }
-- "error" input { 100i64 } error: .
entry main (n: i64) = i64.sum (iota n)

-- ==
-- entry: consumes
-- script input { (zeros 3) }
entry consumes [n] (xs: *[n]f32) : [n]f32 = xs with [0] = 1
entry zeros (n: i64) : [n]f32 = replicate n 0
F
run raido bench --no-convergence-phase --runs=2 --json times.json bench.fut
exits 1
says '^Compiling bench.fut\.\.\.$'
says '^Reporting arithmetic mean runtime of at least 2 runs for each dataset \(min 0\.5s\)\.$'
says '^bench.fut \(no tuning file\):$'
says '^#0 \("10i64"\): +[0-9]+μs \(95% CI: \[ *[0-9.]+, +[0-9.]+\]\)$'
says '^bench.fut.actual and bench.fut.expected do not match:$'
says '^bench.fut:consumes \(no tuning file\):$'
says '^zeros 3i32: +[0-9]+μs'
if grep -q '"bench.fut:consumes": {' times.json; then ok; else not_ok "times.json: $(cat times.json)"; fi
if grep -q '"wrong": "bench.fut.actual' times.json; then ok; else not_ok "times.json: $(cat times.json)"; fi
touch bench.fut.tuning
run raido bench --no-convergence-phase --skip-compilation --entry-point=consumes bench.fut
says '^bench.fut:consumes \(using bench.fut.tuning\):$'
exits 0
if printf '%s' "$out" | grep -q 'first run'; then not_ok "progress without a terminal"; else ok; fi
if command -v python3 >/dev/null 2>&1; then
	about "bench at a terminal"
	run python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$RAIDO" bench --no-convergence-phase \
		--skip-compilation --entry-point=consumes bench.fut
	says 'zeros 3i32: first run'
	says 'zeros 3i32: measuring, [0-9]+ runs?, [0-9]+μs on average'
	says 'zeros 3i32: +[0-9]+μs'
fi

about "benchcmp"
echo '{"a.fut": {"datasets": {}}}' >one.json
echo '{"b.fut": {"datasets": {}}}' >two.json
run raido benchcmp one.json two.json
exits 1
complains 'have no program in common'
echo 'entry main (x: i32) = x' >nodata.fut
run raido bench nodata.fut
exits 1
complains '^No program has data sets to benchmark'
cat >a.json <<'F'
{"p.fut": {"datasets": {"x": {"runtimes": [100, 101, 99, 100], "bytes": {"default space": 10}, "stderr": ""},
                        "y": {"runtimes": [100, 101, 99, 100]}, "z": "failed"}}}
F
cat >b.json <<'F'
{"p.fut": {"datasets": {"x": {"runtimes": [50, 51, 49, 50], "bytes": {"default space": 5}, "stderr": ""},
                        "y": {"runtimes": [100, 102, 99, 100]}, "z": {"runtimes": [1]}}}}
F
run raido benchcmp a.json b.json
is "
p.fut
  x:       2.00x * (mem: 0.50x@default space)
  y:       1.00x
  z: failed in the first file"
run raido benchcmp a.json bench.fut
exits 1

about "script"
run raido script good.fut 'main 3'
is '[0i64, 2i64, 4i64]'
run raido script --skip-compilation good.fut '{a = both 1 [2f32], b = main 2}'
is '{a=([2.0f32], 1i32), b=[0i64, 2i64]}'
run raido script --skip-compilation good.fut 'area (square 3)'
is '9.0f32'
run raido script --skip-compilation good.fut 'square 3'
complains '^Type shape has no external representation\.$'
exits 1
run raido script --skip-compilation good.fut '$store "saved" (main 2)'
is '()'
run raido script --skip-compilation good.fut '$restore "[]i64" "saved"'
is '[0i64, 2i64]'
run raido script --skip-compilation good.fut '((main 3)[1], (both 1 [2f32]).0[0])'
is '(2i64, 2.0f32)'
run raido script --skip-compilation good.fut '(both 1) [2f32]'
complains 'expected the end at "\[2f32\]"'
exits 1
run raido script --skip-compilation good.fut 'both'
complains '^Function both not fully applied\.$'
run raido script --skip-compilation good.fut 'nope'
complains '^Unknown entry point: nope$'
exits 1
about "what a signal leaves behind"
mkdir temporary
cat >endless.fut <<'END'
-- ==
-- input { 1 }
entry main (x: i32) = loop x while x > 0 do 1 + x % 5
END
cat >noting <<'END'
#!/bin/sh
echo $$ >"$(dirname "$0")/server.pid"
exec "$@"
END
chmod +x noting
ran='raido bench endless.fut'
TMPDIR=$PWD/temporary "$RAIDO" bench --runner="$PWD/noting" endless.fut >/dev/null 2>&1 &
while kill -0 $! 2>/dev/null && [ ! -s server.pid ]; do sleep 0.1; done
kill $!
wait $! 2>/dev/null
code=$?
exits 143
if [ -z "$(ls temporary)" ]; then ok; else not_ok "files are left"; fi
if kill -0 "$(cat server.pid)" 2>/dev/null; then
	kill -9 "$(cat server.pid)"
	not_ok "the server is left"
else
	ok
fi

about "options for the compiler"
cat >warned.fut <<'END'
-- ==
-- input { 1 } output { 2 }
entry main (x: i32) = let y = 3i32 in x + 1
END
run raido test --pass-compiler-option=-v --pass-compiler-option=--entry-point=main warned.fut
exits 0
run raido test --pass-compiler-option=--Werror warned.fut
exits 1
says 'Treating above warnings as errors'
run raido test --pass-compiler-option=--nonsense warned.fut
exits 1
says 'unknown option --nonsense'

about "where a program ended: checks that two branches share"
cat >branches.fut <<'END'
entry main [n] (xs: [n]f64) (is: [n]i64) (low: [n]bool) : [n]f64 =
  map (\i -> if low[i]
             then f64.min xs[i] xs[is[i]]
             else f64.max xs[i] xs[is[i]])
      (iota n)
END
run raido c branches.fut
for line in 3 4; do
	in="[1f64, 2f64] [0i64, 2i64] [false, $([ $line = 3 ] && echo true || echo false)]"
	run ./branches
	exits 1
	complains "^-> #0  branches.fut:$line:33-42\$"
done

finish
