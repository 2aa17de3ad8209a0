-- Loops with a condition on their counter and a number known before: the number may be anything.
-- ==
-- entry: le lt ge gt
-- input { [1f64, 2f64, 3f64] 1i64 } output { true }
-- input { [1f64, 2f64, 3f64] 0i64 } output { true }
-- input { [1f64, 2f64, 3f64] 2i64 } output { true }
-- input { [1f64, 2f64, 3f64] 3i64 } output { true }
-- input { [1f64, 2f64, 3f64] 100i64 } output { true }
-- input { [1f64, 2f64, 3f64] -1i64 } output { true }
-- input { [1f64, 2f64, 3f64] 9223372036854775807i64 } output { true }
-- input { [1f64, 2f64, 3f64] -9223372036854775808i64 } output { true }
-- input { empty([0]f64) 1i64 } output { true }

-- ==
-- entry: triangle
-- input { [[1f64, 2f64], [3f64, 4f64]] } output { [[0.5f64, -2f64], [1.5f64, 2f64]] }

-- What each is by a choice of the two values, which are there anyway.
def check [n] (xs: [n]f64) (f: i64 -> bool) (ys: [n]f64) : bool =
  and (map3 (\i x y -> y == (if f i then x / 2 else -x)) (iota n) xs ys)

entry le [n] (xs: [n]f64) (x: i64) =
  check xs (<= x) (map (\i -> if i <= x then xs[i] / 2 else -xs[n - 1 - (n - 1 - i)]) (iota n))

entry lt [n] (xs: [n]f64) (x: i64) =
  check xs (< x) (map (\i -> if i < x then xs[i] / 2 else -xs[n - 1 - (n - 1 - i)]) (iota n))

entry ge [n] (xs: [n]f64) (x: i64) =
  check xs (>= x) (map (\i -> if i >= x then xs[i] / 2 else -xs[n - 1 - (n - 1 - i)]) (iota n))

entry gt [n] (xs: [n]f64) (x: i64) =
  check xs (> x) (map (\i -> if i > x then xs[i] / 2 else -xs[n - 1 - (n - 1 - i)]) (iota n))

entry triangle [n][m] (a: [n][m]f64) : [n][m]f64 =
  tabulate_2d n m (\i j -> if j > i then -a[i, j] else a[i, j] / 2)
