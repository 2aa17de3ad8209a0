-- A value and its gradient, where a row is a loop: the one that gives the value also writes the tape (join_twins), and
-- the sum, which only the value needs, is added up in it.
-- structure sequential: loop 2, withacc 1
-- ==
-- entry: both
-- input { [[1i64, 0i64], [1i64, 2i64]] [0.5f64, 1f64, 0.25f64] }
-- output { 1.0543108207586338f64 [1.3119460512932044f64, 1.2080932192f64, 1.4056079036f64] }

def loss [n][d][m] (is: [n][d]i64) (w: [m]f64) : f64 =
  let one row =
    let (x, s) = loop (x, s) = (1, 0) for j < d do (f64.sin (x * w[row[j]]), s + x * x)
    in x * s
  in f64.sum (map one is)

entry both [n][d][m] (is: [n][d]i64) (w: [m]f64) : (f64, [m]f64) = vjp2 (loss is) w 1
