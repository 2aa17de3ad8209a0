-- Partial application of a function whose sizes depend on arguments.
def weave (n: i64) (xs: [n]i32) (m: i64) (ys: [m]i32) : [n + m]i32 = xs ++ ys
def two = weave 2
-- ==
-- input { 3 } output { [3, 3, 3] [3, 3] }
entry main (x: i32) = (two [x, x] 1 [x], two [x, x] 0 [])
