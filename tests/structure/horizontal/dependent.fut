-- A sum that needs the other comes after it.
-- structure soac: screma 2
-- structure soac,c: loop 2
-- ==
-- input { [1f64, 2f64, 3f64] } output { 2.0f64 }
entry main [n] (xs: [n]f64) : f64 =
  let mean = f64.sum xs / f64.i64 n
  in f64.sum (map (\x -> (x - mean) * (x - mean)) xs)
