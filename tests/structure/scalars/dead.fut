-- What nobody needs is not computed.
-- structure soac: screma 1, prim 2
-- ==
-- input { [1f64, 2f64] } output { 6.0f64 }
entry main [n] (xs: [n]f64) : f64 =
  let ys = map f64.exp xs
  let zs = scan (+) 0 ys
  let _unused = zs
  in f64.sum (map (* 2) xs)
