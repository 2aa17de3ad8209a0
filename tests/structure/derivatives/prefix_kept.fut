-- A loop that writes an element and reads those before it: the return sweep has them from the array as
-- the loop leaves it, so that nothing is recorded and nothing taken back.
-- structure soac: loop 2, update 5, scratch 0, copy 0
-- ==
-- input { [[2f64, 0f64], [1f64, 4f64]] [4f64, 10f64] } output { [[-0.75f64, 0f64], [-0.5f64, -0.5f64]] }
entry main [n] (l: [n][n]f64) (b: [n]f64) : [n][n]f64 =
  vjp (\l -> f64.sum (loop y = replicate n 0 for i < n do
                        y with [i] = (b[i] - f64.sum (map2 (*) l[i, :i] y[:i])) / l[i, i]))
      l 1
