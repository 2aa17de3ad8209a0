-- Iterations that have a row to themselves are a map.
-- structure soac: loop 0, screma 1
-- ==
-- input { [1f64, 2f64, 3f64] } output { [2f64, 5f64, 10f64] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry main [n] (xs: *[n]f64) : *[n]f64 = loop xs for i < n do xs with [i] = xs[i] * xs[i] + 1
