-- A value and its gradient, where a row is a choice: there is one, which gives both (join_twins).
-- structure soac: if 1, withacc 1
-- ==
-- entry: both
-- input { [0i64, 1i64, 1i64] [0.5f64, 1f64] }
-- output { 4.0f64 [0.0f64, 8.0f64] }

def loss [n][m] (is: [n]i64) (w: [m]f64) : f64 =
  f64.sum (map (\i -> if w[i] < 0.75 then 0 else f64.sqrt (4 * w[i] ** 4)) is)

entry both [n][m] (is: [n]i64) (w: [m]f64) : (f64, [m]f64) = vjp2 (loss is) w 1
