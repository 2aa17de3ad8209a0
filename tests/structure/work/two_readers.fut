-- A map that two others read across is stored once.
-- structure soac: screma 2
-- ==
-- input { [1f64, 2f64, 3f64] } output { [22.803818751646713f64, 14.7781121978613f64, 22.803818751646713f64] }
entry main [n] (xs: [n]f64) : [n]f64 =
  let ys = map f64.exp xs
  in tabulate n (\i -> ys[i] + ys[n - 1 - i])
