-- The nearest row alone has adjoints.  What a sum reads of it gets them one by one: no row of zeros
-- for each row of the map.  A loop has such a row.
-- structure soac: replicate 4, withacc 3
-- structure soac,direct_accs: replicate 3, withacc 2
-- ==
-- entry: gradient
-- input { [1f64, 2f64, 3f64, 4f64] [0i64, 2i64, 1i64, 2i64] [0i64, 2i64, 4i64]
--         [[0.5f64, 1f64, 1.5f64], [2f64, 0.25f64, 1f64]] }
-- output { [[2f64, 0f64, 4f64], [4.75f64, 12f64, 16f64]] }
def row [z][d] (values: [z]f64) (columns: [z]i64) (from: i64) (to: i64) (c: [d]f64) =
  loop s = 0
  for j in from..<to do
    let s = loop s for k < 2 do s + values[j] * c[columns[j]]
    in if values[j] > 2 then s + values[j] * c[columns[j]] * c[0] else s

def cost [z][m][k][d] (values: [z]f64) (columns: [z]i64) (starts: [m]i64) (centres: [k][d]f64) : f64 =
  f64.sum (tabulate (m - 1) (\i -> f64.minimum (map (row values columns starts[i] starts[i + 1]) centres)))

entry gradient [z][m][k][d] (values: [z]f64) (columns: [z]i64) (starts: [m]i64) (centres: [k][d]f64) =
  vjp (cost values columns starts) centres 1

def sums [z][m][k][d] (values: [z]f64) (columns: [z]i64) (starts: [m]i64) (centres: [k][d]f64) : f64 =
  let of_row from to (c: [d]f64) = f64.sum (map2 (\x i -> x * c[i]) values[from:to] columns[from:to])
  in f64.sum (tabulate (m - 1) (\i -> f64.minimum (map (of_row starts[i] starts[i + 1]) centres)))

-- ==
-- entry: gradient_of_sums
-- input { [1f64, 2f64, 3f64, 4f64] [0i64, 2i64, 1i64, 2i64] [0i64, 2i64, 4i64]
--         [[0.5f64, 1f64, 1.5f64], [2f64, 0.25f64, 1f64]] }
-- output { [[1f64, 0f64, 2f64], [0f64, 3f64, 4f64]] }
entry gradient_of_sums [z][m][k][d] (values: [z]f64) (columns: [z]i64) (starts: [m]i64) (centres: [k][d]f64) =
  vjp (sums values columns starts) centres 1
