-- Rows that are added to one after the other: one loop over all of them.
-- structure soac: screma 1
-- ==
-- input { [[1f64,2f64,3f64],[4f64,5f64,6f64]] [1f64,10f64,100f64] }
-- output { [[2f64,12f64,103f64],[6f64,25f64,206f64]] }
entry main [n] (a: *[2][n]f64) (x: [n]f64) : [2][n]f64 =
  let a[0] = map2 (+) a[0] x
  let a[1] = map2 (\p q -> p + 2 * q) a[1] x
  in a
