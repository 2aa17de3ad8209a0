-- The determinant by expansion of minors: the first row that is left, each column that is left.
def minor [n] (a: [n][n]f64) (row: i64) (used: u64) : f64 =
  if row == n
  then 1
  else let (d, _) =
         loop (d, sign) = (0, 1)
         for col < n do
           if u64.get_bit (i32.i64 col) used == 1
           then (d, sign)
           else let rest = minor a (row + 1) (u64.set_bit (i32.i64 col) used 1)
                in (d + sign * a[row, col] * rest, -sign)
       in d

entry primal [n] (a: [n][n]f64) : f64 = minor a 0 0

entry gradient [n] (a: [n][n]f64) : [n][n]f64 = vjp primal a 1
