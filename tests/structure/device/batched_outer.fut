-- Outer products that the steps of a loop add to a matrix are one product of matrices after it: in the gradient of a chain,
-- which reads the matrix by rows and turned, and of rows of the input.  Not where a step looks at the matrix.
-- structure soac,batch_sums: screma.reduce 7, update 5
-- ==
-- entry: chain
-- input { [[0.5f64, -0.25f64], [1f64, 0.125f64]] [1f64, 2f64] 3i64 }
-- output { [[2.3312014444894693f64, 2.661236848851438f64], [3.6166477086389826f64, 3.6450765864040306f64]] }
-- input { [[0.5f64]] [1f64] 0i64 } output { [[0f64]] }
-- input { empty([0][0]f64) empty([0]f64) 2i64 } output { empty([0][0]f64) }

-- ==
-- entry: covariance
-- input { [[1f64, 2f64], [3f64, -1f64], [0.5f64, 0.25f64]] [[1f64, 0f64, 2f64], [2f64, 1f64, 0f64], [4f64, 8f64, 16f64]] }
-- output { [[-17f64, -13f64, -19f64], [-1f64, -1f64, -15f64]] }
-- input { empty([0][2]f64) empty([0][3]f64) } output { [[1f64, 1f64, 1f64], [1f64, 1f64, 1f64]] }

-- ==
-- entry: looked_at
-- input { [[1f64, 2f64], [3f64, -1f64], [0.5f64, 0.25f64]] } output { [[13.8125f64, -0.96875f64], [4.5f64, 4f64]] }
entry chain [n] (w: [n][n]f64) (x: [n]f64) (k: i64) : [n][n]f64 =
  vjp (\w -> f64.sum (loop x for _i < k do
                        let y = map (\r -> f64.tanh (f64.sum (map2 (*) r x))) w
                        in map2 (\a c -> a + f64.sum (map2 (*) c y)) x (transpose w))) w 1

entry covariance [k][n][m] (xs: [k][n]f64) (ys: [k][m]f64) : [n][m]f64 =
  loop s = replicate n (replicate m 1) for i < k do
    map2 (\r x -> map2 (\c y -> c - 2 * x * y) r ys[i]) s xs[i]

entry looked_at [k][n] (xs: [k][n]f64) : [n][n]f64 =
  loop s = replicate n (replicate n 0) for i < k do
    let c = map f64.sum s
    in map3 (\r x c -> map2 (\a y -> a + (x + 0.25 * c) * y) r xs[i]) s xs[i] c
