-- As value_too, where both sweeps run the same loop in a row (join_looping_sweeps).
-- structure sequential,join_looping_sweeps: loop 2, withacc 1
-- ==
-- entry: both
-- input { [[0i64, 1i64], [1i64, 2i64], [2i64, 2i64]] [0.5f64, 1f64, -2f64] }
-- output { 19.25f64 [3.0f64, 1.0f64, -18.0f64] }

def loss [n][d][m] (is: [n][d]i64) (w: [m]f64) : f64 =
  f64.sum (map (\row -> let s = loop s = 0 for j < d do s + w[row[j]] in s * s) is)

entry both [n][d][m] (is: [n][d]i64) (w: [m]f64) : (f64, [m]f64) = vjp2 (loss is) w 1
