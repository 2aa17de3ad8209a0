-- A value and its gradient: what both sweeps need of a row is computed once, in the combinator that adds to the
-- adjoints (join_sweeps).
-- structure soac: screma 3, withacc 1
-- ==
-- entry: both
-- input { [[0i64, 1i64], [1i64, 2i64], [2i64, 2i64]] [0.5f64, 1f64, -2f64] }
-- output { 1.215811516313794f64 [0.3775406687981454f64, 1.5750334580242877f64, 1.0474258731775667f64] }

def loss [n][d][m] (is: [n][d]i64) (w: [m]f64) : f64 =
  f64.sum (map (\row -> f64.log (f64.sum (map (\i -> f64.exp w[i]) row))) is)

entry both [n][d][m] (is: [n][d]i64) (w: [m]f64) : (f64, [m]f64) = vjp2 (loss is) w 1
