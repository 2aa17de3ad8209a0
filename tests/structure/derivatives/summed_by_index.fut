-- Columns that are read by their indices are added row by row too, as memory likes best; rows are summed.
-- structure soac: withacc 1, screma 4, screma.reduce 1
-- structure soac,gpu: loop.atomic 0
-- ==
-- entry: columns
-- input { [[1f64,2f64],[3f64,4f64]] [1f64,2f64] [10f64,100f64] } output { [310.0f64, 420.0f64] }
entry columns [n][m] (a: [n][m]f64) (x: [m]f64) (g: [n]f64) : [m]f64 =
  vjp (\x -> tabulate n (\i -> f64.sum (tabulate m (\j -> a[i, j] * x[j])))) x g

-- ==
-- entry: rows
-- input { [[1f64,2f64],[3f64,4f64]] [1f64,2f64] [10f64,100f64] } output { [210.0f64, 430.0f64] }
entry rows [n][m] (a: [m][n]f64) (x: [m]f64) (g: [n]f64) : [m]f64 =
  vjp (\x -> tabulate n (\i -> f64.sum (tabulate m (\j -> a[j, i] * x[j])))) x g
