-- Rows that an inner loop of another length each overwrites in part: a map, in which each row is a copy that the
-- inner loop may consume.
-- structure soac: screma.map 1, copy 1
-- ==
-- input { 3i64 [0.5f64, 1f64, 2f64] }
-- output { [[0.5f64, 1f64, 2f64], [1.5f64, 1f64, 2f64], [1.5f64, 2f64, 2f64]] }
entry main [m] (n: i64) (z: [m]f64) : [n][m]f64 =
  loop a = replicate n z for i < n do
    loop a for j < i do
      a with [i, j] = a[i, j] + 1
