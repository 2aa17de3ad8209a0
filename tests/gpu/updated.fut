-- Elements that are read and updated by one thread, in loops of the host; and adjoints of such.
-- ==
-- entry: solve
-- input { [[2f64, 0f64, 0f64], [1f64, 2f64, 0f64], [3f64, 1f64, 4f64]] [2f64, 5f64, 1f64] }
-- output { [2f64, 3f64, -8f64] }

-- ==
-- entry: gradient
-- input { [[2f64, 0f64, 0f64], [1f64, 2f64, 0f64], [3f64, 1f64, 4f64]] [2f64, 5f64, 1f64] }
-- output { [[0f64, 0f64, 0f64], [-44f64, 0f64, 0f64], [32f64, 48f64, 0f64]] [30f64, 22f64, -16f64] }
entry solve [n] (l: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop y = copy b for i < n do
    y with [i] = y[i] - f64.sum (map2 (*) l[i, :i] y[:i])

entry gradient [n] (l: [n][n]f64) (b: [n]f64) : ([n][n]f64, [n]f64) =
  vjp (\(l, b) -> f64.sum (map (\v -> v * v) (solve l b))) (l, b) 1
