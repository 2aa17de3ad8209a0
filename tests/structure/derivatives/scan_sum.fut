-- The adjoint of a prefix sum is a suffix sum.
-- structure soac: screma 1, screma.scan 1, withacc 0
-- ==
-- input { [3f64,1f64,2f64] [1f64,10f64,100f64] }
-- output { [111.0f64, 110.0f64, 100.0f64] }
entry main [n] (xs: [n]f64) (g: [n]f64) : [n]f64 = vjp (scan (+) 0) xs g
