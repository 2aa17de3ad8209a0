# gradcheck: derivatives of entry points against differences.
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
. "$(dirname "$0")/lib.sh"

cat >good.fut <<'X'
-- ==
-- input { [1.0, 2.0, 3.0] 2.0 }
-- input { empty([0]f64) 2.0 }
-- input { [0.0] 0.0 } error: never
entry main [n] (xs: [n]f64) (k: f64) = assert (n == 0 || k != 0) (k * f64.sum (map f64.sin xs))
entry chosen (xs: []f64) = map (* 2) (filter (> 0) xs)
entry single (x: f32) (m: [2][3]f32) = map (map (f32.sin <-< (* x))) m
entry half (x: f16) = x * x
entry eaten [m] (xs: *[m]f64) (k: i64) = xs with [0] = f64.i64 k * xs[m - 1]
entry ints (xs: []i32) = map (+ 1) xs
type part = #one f64 | #two
entry parts (q: {a: f64, b: part}) (i: i64) (xs: [4]f64) =
  match q.b
  case #one x -> x * q.a + xs[i % 4]
  case #two -> xs[0] ** 2
entry logs (xs: []f64) = map f64.log xs
X
cat >bad.fut <<'X'
-- ==
-- input { [1.0, 3.0] }
entry main (xs: []f64) = map (with_vjp (\x -> x * x) (\r r' -> r' * r)) xs
-- ==
-- entry: good
-- input { 2.0 }
entry good (x: f64) = x * x
X
cat >kink.fut <<'X'
-- ==
-- input { 0.0 1.0 1.0 }
entry main (x: f64) (y: f64) (z: f64) = f64.abs x + f64.max y z
X

about "all entry points, by the compiler and by the interpreter"
for mode in -v -iv; do
	run raido gradcheck "$mode" good.fut
	exits 0
	says '^main, #0 .*: ok, 4 derivatives$'
	says '^main, #1 .*: ok, 1 derivative$'
	says '^  worst: (xs\[[0-2]\]|k): reverse [-0-9.e]+, forward [-0-9.e]+, differences [-0-9.e]+$'
	says '^single, random input 2: ok, 7 derivatives$'
	says '^parts, random input 0: ok, 6 derivatives$'
	says '^eaten, random input 1: ok'
	says '^half, random input 0: ok, 1 derivative$'
	says '^logs, random input 0: ok'
	says '^ints: no floats to differentiate$'
	says '^7 entry points checked, 0 wrong\.$'
done

about "a wrong derivative, its place and values"
run raido gradcheck bad.fut
exits 1
says '^main, #0 .*: WRONG, 2 of 2 derivatives$'
says '^  worst: xs\[0\]: reverse [0-9.]+, forward [0-9.]+, differences [0-9.]+$'
says '^good, #0 .*: ok, 1 derivative$'
says '^2 entry points checked, 1 wrong\.$'

about "one entry point"
run raido gradcheck -e good bad.fut
exits 0
says '^1 entry point checked, 0 wrong\.$'
run raido gradcheck -e nope bad.fut
exits 2
complains '^Unknown entry point: nope$'

about "kinks are not errors"
run raido gradcheck kink.fut
exits 0
says '^main, #0 .*: ok, 3 derivatives, 2 at kinks$'

about "options"
run raido gradcheck -t 100 bad.fut
exits 0
run raido gradcheck -c 2 -e main good.fut
says '^main, #0 .*: ok, 2 derivatives$'
run raido gradcheck -n 1 --size 1 --seed 7 -e chosen good.fut
is 'chosen, random input 0: ok, 1 derivative
1 entry point checked, 0 wrong.'
run raido gradcheck -t nought bad.fut
exits 2
complains 'positive number'
run raido gradcheck --size 0 bad.fut
exits 2
run raido gradcheck --help
exits 0
says '^Usage: raido gradcheck'

about "programs that are wrong"
echo 'entry main (x: f64) = y' >wrong.fut
run raido gradcheck wrong.fut
exits 2
complains 'Unknown name "y"'
run raido gradcheck missing.fut
exits 2

about "entry points that fail on all inputs"
echo 'entry main (x: f64) = assert (x > 5) x' >fails.fut
run raido gradcheck fails.fut
exits 1
says 'not checked: no random input will do; add a test block'
says '^0 entry points checked, 0 wrong, 1 not checked\.$'
complains '^Nothing was checked\.$'
run raido gradcheck --domain=6:9 fails.fut
exits 0
says '^1 entry point checked, 0 wrong\.$'
run raido gradcheck --domain=9:6 fails.fut
exits 2

about "the examples are right, as are their derivatives"
for e in gradient sparse; do
	run raido test -i --no-terminal "$examples/$e.fut"
	exits 0
done
run raido gradcheck "$examples/gradient.fut"
exits 0
says '^2 entry points checked, 0 wrong\.$'
finish
