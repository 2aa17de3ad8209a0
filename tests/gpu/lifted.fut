-- Checks of indices in sums, done before the nest: where the bounds tell that all is well, where they do not
-- but it is, and where an index fails.
-- ==
-- entry: heads
-- input { [[[1f64, 2f64, 3f64, 4f64], [5f64, 6f64, 7f64, 8f64]]] 2i64 }
-- output { [[3f64, 11f64], [7f64, 15f64]] }
-- input { [[[1f64, 2f64, 3f64, 4f64, 5f64]]] 2i64 }
-- output { [[3f64], [7f64]] }
-- input { [[[1f64, 2f64, 3f64]]] 0i64 }
-- error: division by zero
-- input { [[[1f64, 2f64, 3f64]]] -1i64 }
-- error: Range
entry heads [b][s][e] (q: [b][s][e]f64) (heads: i64) =
  let d = e / heads
  in tabulate (b * heads) (\nh ->
       let (n, h) = (nh / heads, nh % heads)
       in tabulate s (\i -> f64.sum (tabulate d (\c -> q[n, i, h * d + c]))))

-- The bounds of i - i % k + j are wider than what it is.
-- ==
-- entry: rounded
-- input { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32] 2i64 }
-- output { [3i32, 3i32, 7i32, 7i32, 11i32, 11i32] }
-- input { [1i32, 2i32, 3i32, 4i32, 5i32] 2i64 }
-- error: Index \[5\] out of bounds for array of shape \[5\]
-- input { empty([0]i32) 2i64 }
-- output { empty([0]i32) }
entry rounded [n] (xs: [n]i32) (k: i64) =
  tabulate n (\i -> i32.sum (tabulate k (\j -> xs[i - i % k + j])))

-- In branches, which may guard what fails.
-- ==
-- entry: padded
-- input { [1i32, 2i32, 3i32, 4i32] 3i64 4i64 }
-- output { [6i32, 9i32, 7i32, 4i32] }
-- input { [1i32, 2i32, 3i32, 4i32] 3i64 9i64 }
-- error: Index \[[45]\] out of bounds for array of shape \[4\]
entry padded [n] (xs: [n]i32) (k: i64) (m: i64) =
  tabulate n (\i -> i32.sum (tabulate k (\j -> let at = i + j in if at < m then xs[at] else 0)))

-- Products that do not fit.
-- ==
-- entry: large
-- input { [1i32, 2i32] 4611686018427387904i64 4i64 }
-- output { [4i32, 4i32] }
-- input { [1i32, 2i32] 4611686018427387905i64 1i64 }
-- error: out of bounds for array of shape \[2\]
entry large [n] (xs: [n]i32) (a: i64) (b: i64) =
  tabulate n (\i -> i32.sum (tabulate 4 (\j -> xs[(i + j + 1) * a * b])))

-- Nests that call functions, with checks that are lifted and without.
-- ==
-- entry: calls
-- input { [2f64, 3f64] 2i64 }
-- output { [10f64, 10f64] }
def power (k: i64) (x: f64) : f64 = if k <= 0 then 1 else x * power (k - 1) x

entry calls [n] (xs: [n]f64) (k: i64) =
  let as = map2 power (iota n) xs
  in tabulate n (\i -> f64.sum (tabulate k (\j -> power 2 as[i - i % k + j])))
