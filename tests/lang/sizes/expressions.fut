-- Size expressions in types.
def rep2 (n: i64) (x: f32) : [2 * n]f32 = replicate (2 * n) x
def pr (p: (i64, i64)) : [p.0]i64 = iota p.0
def two (n: i64) : [n + 1]i64 = let m = n + 1 in iota m
-- ==
-- input { 2i64 } output { [1f32, 1f32, 1f32, 1f32] [0i64, 1i64] [0i64, 1i64, 2i64] }
entry main (n: i64) = (rep2 n 1, pr (n, 3), two n)
