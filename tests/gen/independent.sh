#!/bin/sh
# Loops whose iterations have places of their own are marked as such for C compilers (src/gen/cindependent.c).
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

# marked NAME COUNT: so many loops of the program are marked.
marked() {
	run raido c --library "$1.fut"
	exits 0
	n=$(grep -c '^[[:space:]]*RD_INDEPENDENT$' "$1.c")
	if [ "$n" = "$2" ]; then ok; else not_ok "$n loops are marked"; fi
}

about "two elements of a column in each of two arrays, and a choice of two values"
cat >columns.fut <<'F'
entry main [n][m] (x: *[n][m]f32) (y: *[n][m]f32) (z: [m]f32) (a: i64) (b: i64) : ([n][m]f32, [n][m]f32) =
  loop (x, y) for i < m do
    let (p, q) = (z[i], 2 * z[i])
    let (u, v) = if a > b then (p, q) else (q, p)
    let x[a, i] = x[a, i] + u
    let y[a, i] = y[a, i] + v
    let x[b, i] = x[b, i] - v
    in (x, y)
F
marked columns 1

about "the element of another column"
cat >other.fut <<'F'
entry main [n][m] (x: *[n][m]f32) (z: [m]f32) (a: i64) (b: i64) : [n][m]f32 =
  loop x for i < m - 1 do
    let (u, v) = if a > b then (z[i], x[b, i + 1]) else (-z[i], 0)
    in x with [a, i] = x[a, i] + u * v
F
marked other 0

# GCC has no vectors for choices by a bool that comes from outside of the function.
cat >choice.fut <<'F'
entry main [n] (up: bool) (x: [n]f32) : [n]f32 = map (\v -> let w = if up then v else -v in w / (1 + w * w)) x
F
for backend in c multicore; do
	about "$backend: functions are told of choices by integers"
	run raido $backend --library choice.fut
	exits 0
	sed -n '/^static.* rd_fun_main/,/{$/p' choice.c >heads
	if grep -q 'int32_t up' heads && ! grep -q 'bool' heads; then ok; else not_ok "$(cat heads)"; fi
done

cat >checks.fut <<'F'
entry at [n][m] (xs: [n]f64) (is: [m]i64) : f64 = f64.sum (map (\i -> xs[i]) is)
entry early [n][m] (xs: [n]f64) (is: [m]i64) : f64 = f64.sum (map (\i -> if i < n && 0 <= i then xs[i] else 0) is)
entry late [n][m] (xs: [n]f64) (is: [m]i64) : f64 = f64.sum (map (\i -> if 0 <= i && i < n then xs[i] else 0) is)
F
about "a check is one comparison, in whichever order its two are"
run raido c --library checks.fut
exits 0
if grep -q '(uint64_t)x < (uint64_t)n' checks.c && ! grep -q '0 <= x' checks.c; then ok
else not_ok "$(grep '0 <= x' checks.c)"; fi
finish
