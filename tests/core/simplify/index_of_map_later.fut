-- A map whose other use is dead, which shows only after a round.
-- structure simplify: screma 0, index 1, copy 0
-- ==
-- input { [2.0, 3.0] 1i64 } output { 9.0 }
entry main [n] (xs: [n]f64) (i: i64) : f64 =
  let a = map (\x -> f64.sqrt (x ** 2) * f64.abs x + x - f64.cos 0 * x) xs
  let b = copy a with [0] = 1
  let k = if length b == n then i else 0
  in a[k]
