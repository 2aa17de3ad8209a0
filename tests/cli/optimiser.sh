# The passes of the optimiser, one by one and all together, leave the meaning of programs as it
# is: the interpreter gives the same results after them.  Core is checked after each.  Of the
# directories lang, prelude and ad a third, after each commit another one (FULL=1: all).
tests=$(cd "$(dirname "$0")/.." && pwd)
. "$(dirname "$0")/lib.sh"

cp -R "$tests/lang" "$tests/prelude" "$tests/ad" "$tests/core" "$tests/structure" .

. "$tests/share.sh"
shares=3
[ -z "$FULL" ] || { shares=1; SHARE=1; }
choose_share $shares >/dev/null || exit 1

# after PASSES DIRECTORY...
after() {
	about "after $1"
	programs=
	passes=$1
	shift
	for d in "$@"; do
		case $d in
		core | structure) programs="$programs $d" ;;
		*) programs="$programs $(programs_of_share $shares "$d")" ;;
		esac
	done
	# shellcheck disable=SC2086
	run raido test -i --no-terminal --after="$passes" $programs
	exits 0
}

after soac lang prelude ad core structure
after soac,c lang prelude core structure
for pass in inline_calls simplify cse hoist fuse dce; do
	after $pass lang core
done

about "squares"
cat >square.fut <<'A'
entry main (x: f64) (y: f32) : (f64, f32, f64) = (x ** 2, y ** 2, x ** 3)
A
run raido dev square.fut simplify
says 'mul.f64 x_1 x_1'
says 'mul.f32 y_2 y_2'
says 'pow.f64 x_1 3.0'

about "sums with zero, which are not -0"
cat >zero.fut <<'A'
entry square (x: f64) (y: f64) : f64 = (x * x + y) + 0
entry product (x: f64) (y: f64) : f64 = x * y + 0
A
run raido dev --structure zero.fut simplify
says '^prim 4 '

about "fuel"
cat >a.fut <<'A'
entry main (xs: []i32) : i32 = i32.sum (map (+ 1) (map (* 2) xs))
A
run raido dev --structure --fuel=fuse:1 a.fut fuse
says '^screma 2 '
run raido dev --structure --fuel=fuse:0 --stats a.fut fuse
says '^screma 3 '
complains '0 rewrites'
run raido dev --fuel=fuse a.fut fuse
complains '--fuel takes PASS:N'
exits 2
# What a function is known to be (simple, lean, ..) is lost by a rewrite, so each is counted.
about "rewrites for devices count"
cat >jam.fut <<'A'
def cost [z][d] (values: [z]f64) (columns: [z]i32) (from: i64) (to: i64) (centre: [d]f64) : f64 =
  f64.sum (map2 (\x c -> x * (x - 2 * centre[c])) values[from:to] columns[from:to])
entry main [z][m][k][d] (values: [z]f64) (columns: [z]i32) (starts: [m]i64) (centres: [k][d]f64) : f64 =
  f64.sum (tabulate (m - 1) (\i -> f64.minimum (map (cost values columns starts[i] starts[i + 1]) centres)))
A
run raido dev --stats jam.fut soac gpu
complains '^jam .* [1-9][0-9]* rewrites'
cat >product.fut <<'A'
entry main [n][m][k] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
A
run raido dev --stats product.fut soac gpu
complains '^split_folds .* [1-9][0-9]* rewrites'
# An assertion that a live statement named stays when the statement loses the certificate, although
# a dead one names it too.
about "checks stay"
cat >checks.core <<'A'
fun f (n: i64, m: i64, xs: [m]i64) : (r: i64) = {
  let (ok: bool) = lt.i64 n m
  let (c: cert) = assert ok ("too large")
  let (x: i64) = #{c} add.i64 n 1
  let (y: i64) = #{c} index xs [n]
  in x
}
fun g (n: i64, m: i64, xs: [m]i64) : (r: i64, q: i64) = {
  let (ok: bool) = lt.i64 n m
  let (c: cert) = assert ok ("too large")
  let (x: [m]i64) = copy xs
  let (y: [m]i64) = #{c} copy xs
  let (z: i64) = #{c} index xs [n]
  let (s: i64) = index x [0]
  let (t: i64) = index y [1]
  in s, t
}
fun h (n: i64, a: i64) : (r: i64) = {
  let (ok: bool) = lt.i64 n a
  let (c: cert) = assert ok ("too large")
  let (v: [2]i64) = #{c} array [n, a] : i64
  let (w: [3]i64) = #{c} iota.i64 3 n a
  let (x: i64) = index v [1]
  in x
}
A
for pass in simplify cse scalarise dce; do
	run raido dev --structure checks.core $pass
	says '^assert 3 '
done

about "stacks of kept values have room for all rows where bounds of loops tell how many there are"
cat >rows.fut <<'A'
def f [n] (x: [n]f64) : f64 =
  let a = loop a = copy x for p < n do
    loop a for q < n - p do
      let c = f64.sin a[q]
      in loop a for i < q do
        let u = a[i]
        in a with [i] = u * u * c
  in f64.sum a
entry main [n] (x: [n]f64) = vjp f x 1
A
P=$(raido dev --pipeline=c | cut -d' ' -f1 | sed '/^diff_in_order$/q')
run raido dev rows.fut $P
says 'loop \(rows_[0-9]*: i64 = 0\) for'
says 'scratch.f64 \[rows_[0-9]*\]'

about "what branches of a while loop read is kept, not what they overwrite"
cat >queue.fut <<'A'
def f [n] (x: [n]f64) : f64 =
  let (a, _) = loop (a, c) = (copy x, 0) while c < n do
    let a[c] = f64.sin a[c]
    in (if c > 1 then a with [c - 2] = a[c - 2] * a[c] else a, c + 1)
  in f64.sum a
entry main [n] (x: [n]f64) = vjp f x 1
A
run raido dev queue.fut $P
says 'let \(read_[0-9]*: f64\) = if'
if raido dev queue.fut $P | grep -q undone_; then not_ok "updates are taken back"; else ok; fi

about "with threads, scans in the rows of combinators are differentiated as loops; others are shared out"
cat >scans.fut <<'A'
def f [n] (a: [n]f64) : f64 = f64.sum (map (.1) (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip a a)))
entry rows [m][n] (as: [m][n]f64) : [m][n]f64 = vjp (\as -> f64.sum (map f as)) as 1
entry each [m][n] (as: [m][n]f64) : [m][n]f64 = map (\a -> vjp f a 1) as
A
sed '1!d' scans.fut >scan.fut
echo 'entry main [n] (a: [n]f64) : [n]f64 = vjp f a 1' >>scan.fut
P=$(raido dev --pipeline=multicore | cut -d' ' -f1 | sed '/^diff_in_rows$/q')
if raido dev --bare scans.fut $P | grep -q scan=; then not_ok "a scan of a row"; else ok; fi
run raido dev scan.fut $P
says scan=
finish
