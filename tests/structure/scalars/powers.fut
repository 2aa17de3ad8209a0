-- Small constant powers are products, and x ** -1 a quotient: vectors have these; the fifth stays.  That is done in loops.
-- structure inline_calls,simplify: prim 4
-- structure inline_calls,simplify,seq,simplify: prim 5
-- ==
-- input { [2.0, -0.0, 1e200, -1e-200, 1e-100, f64.inf, -f64.inf, -3.0] }
-- output { [8.0, -0.0, f64.inf, -0.0, 1e-300, f64.inf, -f64.inf, -27.0]
--          [16.0, 0.0, f64.inf, 0.0, 0.0, f64.inf, f64.inf, 81.0]
--          [0.5, -f64.inf, 1e-200, -1e200, 1e100, 0.0, -0.0, -0.3333333333333333]
--          [32.0, -0.0, f64.inf, -0.0, 0.0, f64.inf, -f64.inf, -243.0] }
-- input { [f64.nan] } output { [f64.nan] [f64.nan] [f64.nan] [f64.nan] }
entry main [n] (xs: [n]f64) : ([n]f64, [n]f64, [n]f64, [n]f64) =
  unzip4 (map (\x -> (x ** 3, x ** 4, x ** -1, x ** 5)) xs)
