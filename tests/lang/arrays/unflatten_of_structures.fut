-- unflatten of arrays of tuples and of arrays, and of what is derived.
-- ==
-- entry: pairs
-- input { 2i64 2i64 [1, 2, 3, 4] } output { [[1, 2], [3, 4]] [[true, false], [true, false]] }
-- input { -2i64 -2i64 [1, 2, 3, 4] } error: \[4\] to array of shape \[-2\]\[-2\]

-- ==
-- entry: of_rows
-- input { 1i64 2i64 [[1, 2, 3], [4, 5, 6]] } output { [[[1, 2, 3], [4, 5, 6]]] }
-- input { -1i64 -2i64 [[1, 2, 3], [4, 5, 6]] } error: Cannot unflatten array of shape \[2\]

-- ==
-- entry: derived
-- input { 2i64 2i64 [1.0, 2.0, 3.0, 4.0] } output { [4.0, 6.0, 4.0, 6.0] }
-- input { -2i64 -2i64 [1.0, 2.0, 3.0, 4.0] } error: Cannot unflatten

entry pairs (n: i64) (m: i64) (xs: []i32) =
  let ps = unflatten (zip xs (map (\x -> x % 2 == 1) xs) :> [n * m](i32, bool))
  in (map (map (.0)) ps, map (map (.1)) ps)

entry of_rows (n: i64) (m: i64) (xss: [][3]i32) = unflatten (xss :> [n * m][3]i32)

-- the square of the sum of each column
entry derived (n: i64) (m: i64) (xs: []f64) =
  let f (xs: [n * m]f64) : f64 =
    let a: [n][m]f64 = unflatten xs
    in 0.5 * f64.sum (map (\c -> f64.sum c ** 2) (transpose a))
  in vjp f (xs :> [n * m]f64) 1
