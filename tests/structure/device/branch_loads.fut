-- Sums with branches: the weights are loaded before them, whatever the condition, the pictures in branches that do
-- nothing else, so that threads can share them.
-- structure soac,gpu: if 2, index 2
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] }
-- output { [[0f64, 9f64, 12f64], [0f64, 19f64, 26f64]] }
entry main [o][c][n] (k: [o][c]f64) (x: [c][n]f64) : [o][n]f64 =
  map (\k -> tabulate n (\j -> loop s = 0 for i < c do if j == 0 then s else s + k[i] * x[i, j - 1])) k
