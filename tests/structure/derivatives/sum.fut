-- The adjoint of a sum is spread out, not computed.
-- structure soac: screma 0, replicate 1
-- ==
-- input { [1f64,2f64,3f64] 2f64 }
-- output { [2.0f64, 2.0f64, 2.0f64] }
entry main [n] (xs: [n]f64) (g: f64) : [n]f64 = vjp f64.sum xs g
