-- Sizes that are asserted inside of what is differentiated: the gradient fails where the function does,
-- and what comes after is checked as well (src/opt/acc_sizes.c).
def total [n][k] (m: i64) (a: [k]f64) (x: [n]f64) : f64 =
  f64.sum (map (\v -> f64.sum (tabulate m (\j -> a[j] * v))) x)

-- ==
-- entry: gradient
-- input { 2i64 [1f64, 2f64] [3f64, 4f64] } output { [7f64, 7f64] [3f64, 3f64] }
-- input { 3i64 [1f64, 2f64] [3f64, 4f64] } error: Index \[2\] out of bounds
-- input { 3i64 [1f64, 2f64] empty([0]f64) } output { [0f64, 0f64] empty([0]f64) }
-- input { -1i64 [1f64, 2f64] empty([0]f64) } output { [0f64, 0f64] empty([0]f64) }
-- input { -1i64 [1f64, 2f64] [1f64] } error: Range 0..1..<-1 is invalid
entry gradient [n][k] (m: i64) (a: [k]f64) (x: [n]f64) : ([k]f64, [n]f64) =
  vjp (\(a, x) -> total m a x) (a, x) 1

-- ==
-- entry: after
-- input { 1i64 [1f64, 2f64] [3f64] } output { [3f64, 0f64] [1f64] [0i64] }
-- input { -1i64 [1f64, 2f64] empty([0]f64) } error: Range 0..1..<-1 is invalid
entry after [n][k] (m: i64) (a: [k]f64) (x: [n]f64) : ([k]f64, [n]f64, [m]i64) =
  let (da, dx) = vjp (\(a, x) -> total m a x) (a, x) 1
  in (da, dx, iota m)

-- A branch that is taken for negative numbers alone.
-- ==
-- entry: chosen
-- input { 2i64 [1f64, 2f64] [3f64, 4f64] } output { [7f64, 7f64] [3f64, 3f64] }
-- input { -2i64 [1f64, 2f64] [3f64, 4f64] } output { [-14f64, 0f64] [-2f64, -2f64] }
entry chosen [n][k] (m: i64) (a: [k]f64) (x: [n]f64) : ([k]f64, [n]f64) =
  vjp (\(a, x) -> f64.sum (map (\v -> if m < 0 then a[0] * v * f64.i64 m
                                      else f64.sum (tabulate m (\j -> a[j] * v))) x)) (a, x) 1

-- Sizes that are another one and a constant.
-- ==
-- entry: shorter
-- input { [1f64, 2f64, 5f64] [3f64, 4f64] } output { [7f64, 0f64, 0f64] [1f64, 1f64] [0i64] }
-- input { [1f64] [1f64] } error: Range 0..1..<-1 is invalid
-- input { [1f64] empty([0]f64) } error: Range 0..1..<-1 is invalid
-- input { empty([0]f64) [1f64] } error: Range 0..1..<-2 is invalid
entry shorter [n][k] (a: [k]f64) (x: [n]f64) : ([k]f64, [n]f64, []i64) =
  let (da, dx) = vjp (\(a, x) -> total (k - 2) a x) (a, x) 1
  in (da, dx, iota (k - 2))

-- ==
-- entry: shorter_alone
-- input { [1f64, 2f64, 5f64] [3f64, 4f64] } output { [7f64, 0f64, 0f64] }
-- input { [1f64] [1f64] } error: Range 0..1..<-1 is invalid
-- input { [1f64] empty([0]f64) } output { [0f64] }
entry shorter_alone [n][k] (a: [k]f64) (x: [n]f64) : [k]f64 =
  vjp (\a -> total (k - 2) a x) a 1

-- Sums of neighbours, with rows that are missing.
-- ==
-- entry: neighbours
-- input { [1f64, 2f64, 5f64, 6f64] [3f64, 4f64] } output { [14f64, 77f64, 70f64, 35f64] }
-- input { [1f64] empty([0]f64) } output { [0f64] }
-- input { [1f64] [1f64] } error: Range 0..1..<-1 is invalid
entry neighbours [n][k] (a: [k]f64) (x: [n]f64) : [k]f64 =
  vjp (\a -> f64.sum (map (\v -> f64.sum (tabulate (k - 2)
                                            (\j -> a[j] * a[j + 1] * v + a[j + 1] * a[j + 2] * v))) x))
      a 1
