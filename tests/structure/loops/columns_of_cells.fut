-- A loop that updates two cells of each row: a map gives these, and no row is made anew.
-- structure soac: loop 0, screma 1, update 2, copy 0
-- ==
-- entry: rotate_columns
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] 0i64 2i64 }
-- output { [[-2f64, 2f64, 4f64], [-2f64, 5f64, 10f64]] }
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] 1i64 1i64 }
-- output { [[1f64, 4f64, 3f64], [4f64, 10f64, 6f64]] }
-- input { empty([0][3]f64) 0i64 2i64 } output { empty([0][3]f64) }
entry rotate_columns [n][m] (a: *[n][m]f64) (p: i64) (q: i64) : *[n][m]f64 =
  #[unsafe]
  loop a for k < n do
    let x = a[k, p]
    let y = a[k, q]
    let a[k, p] = x - y
    let a[k, q] = x + y
    in a
