-- Structural equality.
-- ==
-- input { 1 2 } output { true false true false }
entry main (x: i32) (y: i32) =
  ((x, y) == (1, 2), (x, y) == (y, x), {a = x, b = (y, true)} == {a = 1, b = (2, true)},
   (x, true) != (x, true))

-- ==
-- entry: arrays
-- input { [1, 2] [1, 2] } output { true }
-- input { [1, 2] [1, 3] } output { false }
entry arrays [n] (xs: [n]i32) (ys: [n]i32) = xs == ys

-- ==
-- entry: sums
-- input { 1 } output { true false false }
entry sums (x: i32) =
  let a : #left i32 | #right i32 = #left x
  let b : #left i32 | #right i32 = #left 1
  let c : #left i32 | #right i32 = #right 1
  in (a == b, a == c, b == c)
