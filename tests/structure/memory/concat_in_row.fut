-- An array that goes into a part of a concatenation, which then goes into a row: rows inside of a loop are
-- found at offsets that the first move has added there.
-- structure soac,c: loop 3, alloc 4, copies 7
-- ==
-- input { 2i64 3i64 }
-- output { [[7f64, 8f64, 1f64, 2f64, 2f64, 3f64, 0f64, 1f64], [7f64, 8f64, 2f64, 3f64, 3f64, 4f64, 1f64, 2f64]] }
entry main (n: i64) (m: i64) : [][]f64 =
  map (\i ->
         let a = tabulate_2d 3 2 (\j k -> f64.i64 (i + j + k))
         let a = loop a for p < m - 1 do
           let top = copy a[p]
           let a[p] = copy a[p + 1]
           in a with [p + 1] = top
         in [7, 8] ++ flatten a)
      (iota n)
