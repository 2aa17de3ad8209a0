-- Loops of rows that add to an adjoint: one loop around, which owns the adjoints of all rows; or a loop in
-- the block that does a row.  The sum over a row has a version with a thread for each.
-- structure soac,gpu: loop.kernel 7, loop.blocks 4, loop.atomic 4
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] [0i64, 1i64] }
-- output { [[2.6940046985451636f64, 2.3880093970903276f64],
--          [6.821513470002783f64, 6.7620179600037105f64]] }
entry main [n][m] (xs: [n][m]f64) (is: [m]i64) : [n][m]f64 =
  map (\r ->
    let f (z: [m]f64) = loop s = 0.5 for j < n do
      f64.sin s + f64.sum (map (\i -> z[(is[i] + j) % m] * r[i]) (iota m))
    in vjp f r 1) xs
