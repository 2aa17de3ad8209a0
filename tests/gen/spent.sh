#!/bin/sh
# Stacks of a derivative that a while loop in a loop passes on are handed over (src/gen/cspent.c), and no reference to them is
# counted; the sanitizer sees that none is lost or used after it was.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
cat >sort.fut <<'F'
def sorted [n] (x: [n]f64) : f64 =
  let s = loop a = copy x for i in 1..<n do
    let v = a[i]
    let (a, j) = loop (a, j) = (a, i) while j > 0 && a[i64.max 0 (j - 1)] > v do
      (a with [j] = a[j - 1], j - 1)
    in a with [j] = v
  in f64.sum (map2 (\i v -> f64.i64 i * v * v) (iota n) s)
entry main (n: i64) : []f64 = vjp sorted (tabulate n (\i -> f64.i64 ((i * 37 + 11) % 101))) 1
F
about 'references'
run raido c -w --library -o sort sort.fut
silent
run grep -c 'rd_set(ctx' sort.c
is 0

about 'values'
CFLAGS='-O1 -g -std=c11 -w -fsanitize=address,undefined -fno-sanitize-recover=undefined'
export CFLAGS
run raido c -w -o sort sort.fut
exits 0
for n in 1 2 40 100; do
	echo "${n}i64" >in
	run sh -c '"$RAIDO" run sort.fut <in >expected && ./sort <in | cmp - expected'
	silent
done
finish
