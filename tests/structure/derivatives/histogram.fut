-- The adjoint of a histogram of sums is a gather.
-- structure soac: hist 0, screma 1, withacc 0
-- ==
-- input { [0f64,0f64] [1i64,0i64,1i64,5i64] [3f64,1f64,2f64,9f64] [1f64,10f64] }
-- output { [10.0f64, 1.0f64, 10.0f64, 0.0f64] }
entry main [n][m] (d: [m]f64) (is: [n]i64) (xs: [n]f64) (g: [m]f64) : [n]f64 =
  vjp (\x -> reduce_by_index (copy d) (+) 0 is x) xs g
