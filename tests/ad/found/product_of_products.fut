-- A product of the rows of a product of matrices: both in one loop, where each row takes up what
-- the row before left.
-- ==
-- input { 4i64 [0.5, 0.25, 0.75, 1.0, 2.0] }
-- output { [19.53125, 2.44140625, 65.91796875, 156.25, 1250.0] }
entry main [m] (n: i64) (z: [m]f64) : [m]f64 =
  let product (z: [m]f64) =
    let a = replicate n (replicate m 0.5)
    let rows = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose (replicate m z))) a
    in f64.sum (reduce (map2 (*)) (replicate m 1) rows)
  in vjp product z 1
