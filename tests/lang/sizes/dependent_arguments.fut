-- A parameter type mentions an earlier parameter.
def at (n: i64) (xs: [n]i32) (i: i64) : i32 = xs[i % n]
-- ==
-- input { 3i64 [1, 2, 3] 4i64 } output { 2 }
-- input { 2i64 [1, 2, 3] 4i64 } error: invalid sizes
entry main (n: i64) (xs: [n]i32) (i: i64) = at n xs i
