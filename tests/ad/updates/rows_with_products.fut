-- Rows of a factor are copied, and part of each is replaced: what the adjoint of a row keeps of it is read before that part
-- is cleared.
-- ==
-- entry: main
-- input { [1f64, 2f64, 3f64, 4f64] [1f64, 2f64, 3f64, 4f64] }
-- output { [11.753106463250436f64, 23.506212926500872f64, 35.25931938975131f64, 47.01242585300174f64] [1f64, 2f64, 3f64, 4f64] }
entry main [n][m] (x: [n]f64) (z: [m]f64) =
  let three = (n + 5) / (n + 4) + 2
  let f (x: [n]f64, z: [m]f64) : [n]f64 =
    let a = unflatten (map (\q -> f64.sin q + q) (flatten (replicate three (replicate m 0.5))))
    let b = map (\_ -> copy x with [n / 2:] = x[n / 2:]) (replicate m (replicate three 0.5f64))
    let rows = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
    in map (\j -> z[j % m] + f64.sum (map (\r -> r[j % n]) rows)) (iota n)
  in vjp f (x, z) (map (1 +) (map f64.i64 (iota n)))
