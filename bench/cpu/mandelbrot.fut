entry main (n: i64) (limit: i32) : [n][n]i32 =
  tabulate_2d n n (\i j ->
    let cx = -2 + 3 * f64.i64 j / f64.i64 n
    let cy = -1.5 + 3 * f64.i64 i / f64.i64 n
    let (_, _, k) =
      loop (x, y, k) = (0, 0, 0)
      while k < limit && x * x + y * y <= 4 do
        (x * x - y * y + cx, 2 * x * y + cy, k + 1)
    in k)
