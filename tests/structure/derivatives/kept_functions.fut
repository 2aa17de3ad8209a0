-- Functions of functions: those that are needed for something else are kept (exp and tanh), not what only
-- a kept one needs (sin).
-- structure soac: prim 15
-- structure soac,keep_sums,simplify: prim 12
-- structure soac,c: alloc 2
-- ==
-- input { [1f64, 2f64] }
-- output { [0.14035909013223644f64, -0.10167955417158586f64] }
entry main [n] (x: [n]f64) : [n]f64 =
  vjp (\x -> f64.log (f64.sum (map (\a -> f64.exp (f64.tanh (f64.sin a))) x))) x 1
