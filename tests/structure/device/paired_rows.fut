-- Rows that differ in one digit of their number are done together: the root, its product, and the reads of both are there
-- once for the pair, and once more for the rows that are left; what a derivative adds needs no atomic operations.  Not where
-- rows only share how their numbers are taken apart.
-- structure soac,gpu: if 10, loop.kernel 4, loop.blocks 1, loop.threads 5, loop.atomic 2
-- ==
-- entry: stages
-- input { [1f64, 2f64, 3f64, 4f64] 2i64 } output { [10f64, -3.0806046117362795f64, -2f64, -0.9193953882637205f64] }

-- ==
-- entry: gradient
-- input { [[1f64, 2f64, 3f64, 4f64]] 2i64 } output { [[4f64, 0f64, 0f64, 0f64]] }

-- ==
-- entry: flat
-- input { [1i64, 2i64, 3i64, 4i64] 2i64 } output { [1i64, 2i64, 6i64, 8i64] }
def stages_of [n] (x: [n]f64) (k: i64) : [n]f64 =
  loop x for s < k do
    let d = 1 << s
    in tabulate n (\i ->
                     let j = i % d + (i / (2 * d)) * d
                     let (a, b) = (x[j], f64.cos (f64.i64 (i % d)) * x[j + n / 2])
                     in if (i / d) % 2 == 0 then a + b else a - b)

entry stages (x: []f64) (k: i64) = stages_of x k
entry gradient [m][n] (xs: [m][n]f64) (k: i64) : [m][n]f64 =
  vjp (\xs -> f64.sum (flatten (map (\x -> stages_of x k) xs))) xs 1

entry flat [n] (x: [n]i64) (d: i64) : [n]i64 = tabulate n (\i -> (i / d + 1) * x[i])
