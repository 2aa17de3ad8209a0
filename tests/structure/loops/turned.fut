-- Cells of rows that depend on those before them are written by columns, in which they do not depend on
-- each other: a map of all but the first.  Loops in which a row depends on the next cell of the row
-- before, or reads what the row after it writes, stay as they are.
-- structure inline_calls,simplify,map_loops,simplify: loop 6, screma 4
-- ==
-- entry: cholesky
-- input { [[4f64, 2f64, 2f64], [2f64, 10f64, 4f64], [2f64, 4f64, 18f64]] }
-- output { [[2f64, 0f64, 0f64], [1f64, 3f64, 0f64], [1f64, 1f64, 4f64]] }
-- input { empty([0][0]f64) } output { empty([0][0]f64) }
entry cholesky [n] (a: [n][n]f64) : [n][n]f64 =
  loop l = replicate n (replicate n 0) for i < n do
    loop l for j < i + 1 do
      let rest = a[i, j] - (loop s = 0 for k < j do s + l[i, k] * l[j, k])
      in l with [i, j] = if i == j then f64.sqrt rest else rest / l[j, j]

-- ==
-- entry: skewed
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] }
-- output { [[1f64, 3f64, 6f64], [7f64, 18f64, 24f64]] }
entry skewed [n][m] (a: [n][m]f64) : [n][m]f64 =
  loop l = copy a for i < n do
    loop l for j < m do
      let left = if j > 0 then l[i, j - 1] else 0
      let up = loop s = left for k < i do (if k == i - 1 && j + 1 < m then s + l[k, j + 1] else s)
      in l with [i, j] = a[i, j] + up

-- ==
-- entry: ahead
-- input { [[1f64, 2f64], [3f64, 4f64]] } output { [[1f64, 6f64], [4f64, 14f64]] }
entry ahead [n] (a: [n][n]f64) : [n][n]f64 =
  loop l = copy a for i < n do
    loop l for j < n do
      let left = if j > 0 then l[i, j - 1] else 0
      let below = if i + 1 < n && j > 0 then l[i + 1, j - 1] else 0
      let above = loop s = left for k < i do s + l[k, j]
      in l with [i, j] = a[i, j] + above + below
