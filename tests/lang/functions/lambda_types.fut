-- Lambdas with types and patterns.
-- ==
-- input { 3 4 } output { 7 12i64 }
entry main (x: i32) (y: i32) =
  ((\(a: i32, b: i32) : i32 -> a + b) (x, y), (\a {b} : i64 -> i64.i32 (a * b)) x {b = y})
