-- A minimum: the place of it, and one element.
-- structure soac: screma 2, screma.scan 0, if 2
-- ==
-- input { [3f64,1f64,2f64,1f64] }
-- output { [0.0f64, 1.0f64, 0.0f64, 0.0f64] }
entry main [n] (xs: [n]f64) : [n]f64 = vjp f64.minimum xs 1
