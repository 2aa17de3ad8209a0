-- The gradient of sums over the edges of a graph: what an edge gets from its end is computed where it is added to its start,
-- in one kernel.
-- structure soac,gpu: loop.kernel 2
-- ==
-- input { [1f64, 2f64, -1f64] [0i64, 1i64, 1i64, 2i64, 0i64] [1i64, 2i64, 0i64, 0i64, 1i64] }
-- output { [16f64, 72f64, -20f64] }
-- input { [1f64] empty([0]i64) empty([0]i64) } output { [0f64] }
entry main [n][e] (x: [n]f64) (from: [e]i64) (to: [e]i64) : [n]f64 =
  vjp (\x -> f64.sum (map (** 2) (reduce_by_index (replicate n 0) (+) 0 to (map (\f -> x[f] ** 2) from)))) x 1
