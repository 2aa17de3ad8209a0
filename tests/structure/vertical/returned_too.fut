-- A producer that is needed itself stays, in the same loop.
-- structure soac: screma 1
-- structure soac,c: loop 1, alloc 1
-- ==
-- input { [1f64, 2f64, 3f64] } output { [1.0f64, 4.0f64, 9.0f64] 14.0f64 }
entry main [n] (xs: [n]f64) : ([n]f64, f64) =
  let ys = map (\x -> x * x) xs
  in (ys, f64.sum ys)
