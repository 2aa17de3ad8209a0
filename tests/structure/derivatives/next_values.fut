-- A table row by row: the return sweep reads a row and the one above, and both are rows of one log.
-- No loop computes a row a second time: there are two for the rows and two for their cells.
-- structure soac: loop 4
-- ==
-- entry: gradient
-- input { 3i64 [0.5f64, 1f64, -0.25f64] }
-- output { [10.575134457815501f64, 4.358891316193086f64, 2.9052433218151488f64] }
entry gradient [n] (rows: i64) (xs: [n]f64) : [n]f64 =
  vjp (\xs ->
         let last =
           loop above = replicate (n + 1) 0 for i < rows do
             loop row = replicate (n + 1) 1 for j < n do
               row with [j + 1] = f64.sin (above[j] * row[j] + xs[j]) + above[j + 1] * f64.i64 i
         in f64.sum last)
      xs 1
